import Foundation

/// The time of a change, by a hybrid logical clock (Kulkarni et al., 2014), and the id of the copy that made
/// it: 32 hexadecimal digits that sort alike in Swift, SQLite and PostgreSQL (`COLLATE "C"`).
///
/// The upper 48 bits of the time are milliseconds since 1970, the lower 16 a counter. A change is later than
/// everything that its copy has seen, even if the copy's clock is wrong.
package struct SyncStamp: RawRepresentable, Sendable, Hashable, Comparable, Codable {
  package var rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(text: String) { rawValue = text }

  package var text: String { rawValue }

  package static func stamps(in text: String) throws -> [String: SyncStamp] {
    guard text != "{}" else { return [:] }
    return try JSONDecoder().decode([String: SyncStamp].self, from: Data(text.utf8))
  }

  package static func text(of stamps: [String: SyncStamp]) throws -> String {
    stamps.isEmpty ? "{}" : try stamps.json()
  }

  package init(time: Int64, device: String) {
    rawValue = String(format: "%016llx", time) + device
  }

  /// The stamp of a field that was never changed. It precedes all others.
  package static let never = SyncStamp(text: "")

  /// Time and counter; 0 if the text is not a stamp.
  package var time: Int64 { Int64(text.prefix(16), radix: 16) ?? 0 }
  package var device: String { String(text.dropFirst(16)) }

  package var milliseconds: Int64 { time >> 16 }

  /// Maximum lead of a stamp over the center's time, in milliseconds. A stamp further ahead comes from a
  /// faulty program and would win every conflict until then.
  package static let longestDrift: Int64 = 60_000

  /// Returns whether the text is a valid stamp, at most ``longestDrift`` ahead of the center.
  package func isAcceptable(at time: Int64) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      && Int64(text.prefix(16), radix: 16) != nil && milliseconds - Self.longestDrift <= time
  }

  package static func < (a: SyncStamp, b: SyncStamp) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }
}

/// A flag in which the later write wins.
package struct SyncRegister: Sendable, Hashable, Codable {
  package var isSet: Bool
  package var stamp: SyncStamp

  package init(isSet: Bool = false, stamp: SyncStamp = .never) {
    self.isSet = isSet
    self.stamp = stamp
  }

  package func joined(with other: SyncRegister) -> SyncRegister {
    stamp < other.stamp ? other : self
  }
}
