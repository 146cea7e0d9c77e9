import Motion
import RecordingInput

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts that a session's messages stated. They depend on nothing else, and a store keeps them.
struct SessionFacts: Equatable, Codable {
  /// Whether messages that name no session can belong to this one.
  enum Life: String, Codable {
    case open
    /// The person began another session. A message that names this one reopens it.
    case left
    /// `endWorkout` was received.
    case over
  }

  var life = Life.open
  /// The session's id as first spelled.
  var spelling: String?
  /// The person named by the first `startWorkout` with a `userId`. It never changes.
  var person: String?
  /// True while the session is claimed for a second person; all messages are refused.
  var isContested = false
  var context = SetContext()
  /// Time of the last control message, in seconds since 1970.
  var controlUnixTime: Double?
  /// The session to which messages without a session belonged before this one.
  var previous: String?
  var hasDeclaredSets = false
  /// True once its samples outside of declared sets were released; only in a ``StreamSession``.
  var isForgotten = false
  /// Hash of the `startSet` without an id that opened the current set, until the set's first sample.
  var emptyAnonymousStart: UInt64?
  /// Details from `startSet` about sets that have not ended, by set id in capitals.
  var starts: [String: SetStart] = [:]
  /// A person's corrections of sets that have not ended, by set id in capitals.
  var corrections: [String: Correction] = [:]
  /// Places of the newest chunks and readings without set or session, oldest first, for their repetitions.
  private(set) var places: [Place] = []
  /// The newest control messages, oldest first.
  var log: [LoggedControl] = []

  struct SetStart: Codable, Hashable {
    var targetReps: Int?
    var weight: Double?
    var unixTime: Double?
    var line: Int
  }

  struct Correction: Codable, Hashable {
    var reps: Int?
    var exerciseId: String?
    var exerciseName: String?
    var unixTime: Double?
    var line: Int
  }

  /// The set to which a message was assigned, and the phase that was assumed for a chunk.
  struct Place: Codable, Hashable {
    var hash: UInt64
    var key: StreamKey
    var phase: WorkoutPhase?
  }

  /// A control message, and the context after it.
  struct LoggedControl: Codable, Hashable {
    var hash: UInt64
    var context: SetContext
    var namesSession: Bool?
    /// Hash of the first later chunk or reading that named no set.
    var firstChunk: UInt64?
  }

  /// Chosen because a sender that repeats chunks goes back only a few.
  private static let placesAtMost = 64
  /// Chosen; covers about twenty sets.
  private static let loggedControlsAtMost = 64

  mutating func note(_ place: Place) {
    if places.count >= Self.placesAtMost { places.removeFirst() }
    places.append(place)
  }

  /// Returns whether a message without a session belonged to this one.
  func has(_ hash: UInt64) -> Bool {
    places.contains { $0.hash == hash } || log.contains { $0.hash == hash }
  }

  /// Returns the place in the log of the control message that a repeated chunk without a set id followed;
  /// nil for an unknown chunk.
  func segment(ofChunk hash: UInt64) -> Int? {
    if let index = log.lastIndex(where: { $0.firstChunk == hash }) { return index }
    guard let place = places.last(where: { $0.hash == hash }) else { return nil }
    return log.lastIndex { control in
      control.context.key(
        for: control.context.complete(SetIdentity()), session: place.key.session) == place.key
    }
  }

  mutating func note(_ control: LoggedControl) {
    if log.count >= Self.loggedControlsAtMost { log.removeFirst() }
    log.append(control)
  }
}

// MARK: - Text

extension SessionFacts {
  private struct Stored: Codable {
    var life: Life?
    var spelling: String?
    var person: String?
    var isContested: Bool?
    var context: SetContext
    var controlUnixTime: Double?
    var previous: String?
    var hasDeclaredSets: Bool
    var emptyAnonymousStart: UInt64?
    var starts: [String: SetStart]?
    var corrections: [String: Correction]?
    var places: [Place]?
    var log: [LoggedControl]?
    var isLast: Bool
  }

  /// Returns the facts as text for the journal.
  ///
  /// - Parameter isLast: Whether messages without a session belong to this one.
  func text(isLast: Bool) -> String {
    let stored = Stored(
      life: life == .open ? nil : life, spelling: spelling, person: person,
      isContested: isContested ? true : nil, context: context, controlUnixTime: controlUnixTime,
      previous: previous, hasDeclaredSets: hasDeclaredSets,
      emptyAnonymousStart: emptyAnonymousStart,
      starts: starts.isEmpty ? nil : starts,
      corrections: corrections.isEmpty ? nil : corrections,
      places: places.isEmpty ? nil : places, log: log.isEmpty ? nil : log, isLast: isLast)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(stored)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  static func parse(_ text: String) -> (SessionFacts, isLast: Bool)? {
    guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)) else {
      return nil
    }
    var facts = SessionFacts()
    facts.life = stored.life ?? .open
    facts.spelling = stored.spelling
    facts.person = stored.person
    facts.isContested = stored.isContested ?? false
    facts.context = stored.context
    facts.controlUnixTime = stored.controlUnixTime
    facts.previous = stored.previous
    facts.hasDeclaredSets = stored.hasDeclaredSets
    facts.emptyAnonymousStart = stored.emptyAnonymousStart
    facts.starts = stored.starts ?? [:]
    facts.corrections = stored.corrections ?? [:]
    facts.places = stored.places ?? []
    facts.log = stored.log ?? []
    return (facts, stored.isLast)
  }
}
