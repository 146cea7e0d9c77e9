import Foundation

/// When a field was last changed, and by which copy of the history: the time of a hybrid logical
/// clock (Kulkarni et al., 2014) and the copy's id, as 32 hexadecimal digits. Later stamps are
/// greater as texts, here, in SQLite and in PostgreSQL (`COLLATE "C"`).
///
/// The time is milliseconds since 1970 in the upper 48 bits, and a counter in the lower 16: what a
/// copy does after it has seen something is later than that, whatever its clock shows. Two copies
/// never make the same stamp, for their ids differ.
public struct SyncStamp: Sendable, Hashable, Comparable, Codable {
  public var text: String

  public init(text: String) { self.text = text }

  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Stamps by field, as the record of changes has them.
  static func stamps(in text: String) throws -> [String: SyncStamp] {
    guard text != "{}" else { return [:] }
    return try JSONDecoder().decode([String: SyncStamp].self, from: Data(text.utf8))
  }

  static func text(of stamps: [String: SyncStamp]) throws -> String {
    guard !stamps.isEmpty else { return "{}" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(stamps), as: UTF8.self)
  }

  init(time: Int64, device: String) {
    let digits = String(time, radix: 16)
    text = String(repeating: "0", count: max(0, 16 - digits.count)) + digits + device
  }

  /// Before all others: what nobody has ever changed.
  public static let never = SyncStamp(text: "")

  /// Clock and counter; 0 where the text is no stamp.
  var time: Int64 { Int64(text.prefix(16), radix: 16) ?? 0 }
  var device: String { String(text.dropFirst(16)) }

  /// Milliseconds since 1970.
  public var milliseconds: Int64 { time >> 16 }

  /// How far ahead of the centre's time a stamp may be, in milliseconds. Copies set their clocks by
  /// the centre before they send anything, so what is further ahead comes from a program that does
  /// not: it would win against everybody until then.
  public static let longestDrift: Int64 = 60_000

  /// Whether it is a stamp, and no further ahead than clocks may drift.
  ///
  /// - Parameter time: The centre's, in milliseconds since 1970.
  public func isAcceptable(at time: Int64) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      && Int64(text.prefix(16), radix: 16) != nil && milliseconds - Self.longestDrift <= time
  }

  public static func < (a: SyncStamp, b: SyncStamp) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }
}

/// A yes or no of which the later word counts.
public struct SyncRegister: Sendable, Hashable, Codable {
  public var isSet: Bool
  public var stamp: SyncStamp

  public init(isSet: Bool = false, stamp: SyncStamp = .never) {
    self.isSet = isSet
    self.stamp = stamp
  }

  func joined(with other: SyncRegister) -> SyncRegister { stamp < other.stamp ? other : self }
}
