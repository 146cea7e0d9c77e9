import Foundation
import RecordingInput

/// What is known of one session of a stream: what its control messages said last.
struct StreamSession: Equatable {
  var context = SetContext()
  /// Of the last control message, seconds since 1970.
  var controlUnixTime: Double?
  var hasDeclaredSets = false
  /// `endWorkout` has come.
  var isOver = false
  /// The hash of the last `startSet` without an id.
  var lastAnonymousStart: UInt64?
  /// What of it is in memory.
  var keys: Set<String> = []
  /// When it was last heard of.
  var use = 0

  private struct Stored: Codable {
    var context: SetContext
    var controlUnixTime: Double?
    var hasDeclaredSets: Bool
    var lastAnonymousStart: UInt64?
    var isLast: Bool
  }

  /// As a journal keeps it.
  ///
  /// - Parameter isLast: whether messages without a session belong to this one.
  func text(isLast: Bool) -> String {
    let stored = Stored(
      context: context, controlUnixTime: controlUnixTime, hasDeclaredSets: hasDeclaredSets,
      lastAnonymousStart: lastAnonymousStart, isLast: isLast)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(stored)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  static func parse(_ text: String) -> (StreamSession, isLast: Bool)? {
    guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)) else {
      return nil
    }
    var session = StreamSession()
    session.context = stored.context
    session.controlUnixTime = stored.controlUnixTime
    session.hasDeclaredSets = stored.hasDeclaredSets
    session.lastAnonymousStart = stored.lastAnonymousStart
    return (session, stored.isLast)
  }
}

/// Keys in the order of their last use. Entries that were used again are left behind and skipped.
struct UseQueue {
  private var items: [(key: String, use: Int)] = []
  private var head = 0
  private var sizeAtCompaction = 1024

  mutating func append(_ key: String, use: Int) { items.append((key, use)) }

  mutating func prepend(_ key: String, use: Int) {
    if head > 0 {
      head -= 1
      items[head] = (key, use)
    } else {
      items.insert((key, use), at: 0)
    }
  }

  mutating func popFirst() -> (key: String, use: Int)? {
    guard head < items.count else { return nil }
    defer { head += 1 }
    return items[head]
  }

  /// Drops what is no longer current, now and then.
  mutating func compact(isCurrent: (_ key: String, _ use: Int) -> Bool) {
    guard items.count > 4 * sizeAtCompaction else { return }
    items = items[head...].filter { isCurrent($0.key, $0.use) }
    head = 0
    sizeAtCompaction = max(1024, items.count)
  }
}
