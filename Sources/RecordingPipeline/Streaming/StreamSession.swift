import Foundation
import Motion
import RecordingInput

/// What is known of one session of a stream: what its control messages said last.
struct StreamSession: Equatable {
  var context = SetContext()
  /// Of the last control message, seconds since 1970.
  var controlUnixTime: Double?
  var hasDeclaredSets = false
  /// Whom a `startWorkout` named first.
  var person: String?
  /// It was started for somebody else, too: nobody can tell whose its messages are.
  var isContested = false
  /// `endWorkout` has come.
  var isOver = false
  /// The hash of the last `startSet` without an id.
  var lastAnonymousStart: UInt64?
  /// When it was last heard of.
  var use = 0
  /// What `startSet` said of sets that have not ended, by their ids in capitals.
  var starts: [String: SetStart] = [:]
  /// What a person said of sets that have not ended, as `starts`.
  var corrections: [String: Correction] = [:]
  /// Where the newest chunks went that named no set, the last one last: one that comes again went there
  /// already, whatever is open by then.
  private(set) var places: [Place] = []
  /// Whether the store was asked for what it knows of it: its id as it was first spelled, and whose it is.
  var isLookedUp = false
  var spelling: String?
  var owner: String?
  /// The ids of its exercises as they were first spelled, by the same in capitals.
  var exercises: [String: String] = [:]

  /// Whose movements are those of its sets (``StreamOptions/knownMovements``).
  var mover: String { (person ?? owner ?? "").uppercased() }

  struct SetStart: Codable, Hashable {
    var targetReps: Int?
    var weight: Double?
    var unixTime: Double?
    var line: Int
  }

  /// Where a chunk went that named no set, and the phase that it was taken to be of.
  struct Place: Codable, Hashable {
    var hash: UInt64
    var key: StreamKey
    var phase: WorkoutPhase?
  }

  /// Chosen: a sender that repeats goes back a few chunks.
  private static let placesAtMost = 64

  mutating func note(_ place: Place) {
    if places.count >= Self.placesAtMost { places.removeFirst() }
    places.append(place)
  }

  struct Correction: Codable, Hashable {
    var reps: Int?
    var exerciseId: String?
    var exerciseName: String?
    var unixTime: Double?
    var line: Int
  }

  private struct Stored: Codable {
    var context: SetContext
    var controlUnixTime: Double?
    var hasDeclaredSets: Bool
    var lastAnonymousStart: UInt64?
    var isLast: Bool
    // Since version 8 of the schema.
    var person: String?
    var isContested: Bool?
    var starts: [String: SetStart]?
    var corrections: [String: Correction]?
    var places: [Place]?
  }

  /// As a journal keeps it.
  ///
  /// - Parameter isLast: whether messages without a session belong to this one.
  func text(isLast: Bool) -> String {
    let stored = Stored(
      context: context, controlUnixTime: controlUnixTime, hasDeclaredSets: hasDeclaredSets,
      lastAnonymousStart: lastAnonymousStart, isLast: isLast, person: person,
      isContested: isContested ? true : nil, starts: starts.isEmpty ? nil : starts,
      corrections: corrections.isEmpty ? nil : corrections,
      places: places.isEmpty ? nil : places)
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
    // Older programs wrote an empty name where nobody was named.
    session.person = stored.person.flatMap { $0.isEmpty ? nil : $0 }
    session.isContested = stored.isContested ?? false
    session.starts = stored.starts ?? [:]
    session.corrections = stored.corrections ?? [:]
    session.places = stored.places ?? []
    return (session, stored.isLast)
  }
}

/// The keys of one session that are in memory. Finding those that a message is about costs no more
/// than they are many.
struct SessionMembers {
  /// Under way, by exercise (in capitals, empty where it is not known).
  private(set) var live: [String: Set<StreamKey>] = [:]
  /// Ended, and extended since they were saved.
  var extended: Set<StreamKey> = []
  /// All of them.
  var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func insertLive(_ key: StreamKey, exercise: String?) {
    live[exercise?.uppercased() ?? "", default: []].insert(key)
  }

  mutating func removeLive(_ key: StreamKey, exercise: String?) {
    let exercise = exercise?.uppercased() ?? ""
    live[exercise]?.remove(key)
    if live[exercise]?.isEmpty == true { live[exercise] = nil }
  }
}

/// Keys in the order of their last use. Entries that were used again are left behind and skipped.
struct UseQueue {
  private var items: [(key: StreamKey, use: Int)] = []
  private var head = 0
  private var sizeAtCompaction = 1024

  /// What was used longest ago comes first.
  var waiting: ArraySlice<(key: StreamKey, use: Int)> { items[head...] }

  mutating func append(_ key: StreamKey, use: Int) { items.append((key, use)) }

  mutating func prepend(_ key: StreamKey, use: Int) {
    if head > 0 {
      head -= 1
      items[head] = (key, use)
    } else {
      items.insert((key, use), at: 0)
    }
  }

  mutating func popFirst() -> (key: StreamKey, use: Int)? {
    guard head < items.count else { return nil }
    defer { head += 1 }
    return items[head]
  }

  /// Drops what is no longer current, now and then.
  mutating func compact(isCurrent: (_ key: StreamKey, _ use: Int) -> Bool) {
    guard items.count > 4 * sizeAtCompaction else { return }
    items = items[head...].filter { isCurrent($0.key, $0.use) }
    head = 0
    sizeAtCompaction = max(1024, items.count)
  }
}
