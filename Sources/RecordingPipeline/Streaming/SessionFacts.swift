import Motion
import RecordingInput

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts of one session that its messages stated. They follow from these messages alone, and a store keeps
/// them for good.
struct SessionFacts: Equatable, Codable {
  /// Whether messages that name no session may belong to it.
  enum Life: String, Codable {
    case open
    /// Its person began another session. A message that names this one opens it again.
    case left
    /// `endWorkout` has come.
    case over
  }

  var life = Life.open
  /// The session's id as it was first spelled.
  var spelling: String?
  /// The person whom the first `startWorkout` with a `userId` named. It never changes.
  var person: String?
  /// True while the session is claimed for a second person: all messages are refused.
  var isContested = false
  var context = SetContext()
  /// Time of the last control message, in seconds since 1970.
  var controlUnixTime: Double?
  /// The session that messages without one belonged to before this one.
  var previous: String?
  var hasDeclaredSets = false
  /// True once its samples outside of declared sets were released; only in a session that is saved as bytes.
  var isForgotten = false
  /// The hash of the `startSet` without an id that opened the set, until the set has its first sample.
  var emptyAnonymousStart: UInt64?
  /// Statements of `startSet` about sets that have not ended, by their ids in capitals.
  var starts: [String: SetStart] = [:]
  /// Statements of a person about sets that have not ended, by their ids in capitals.
  var corrections: [String: Correction] = [:]
  /// Places of the newest chunks and readings that named no set or no session, the last one last. A repeated
  /// one goes to the same place.
  private(set) var places: [Place] = []
  /// The newest control messages, the last one last.
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

  /// The set of a message, and the phase that a chunk was taken to be of.
  struct Place: Codable, Hashable {
    var hash: UInt64
    var key: StreamKey
    var phase: WorkoutPhase?
  }

  /// A control message, and the context that it left.
  struct LoggedControl: Codable, Hashable {
    var hash: UInt64
    var context: SetContext
    var namesSession: Bool?
    /// The hash of the first chunk or reading that came after it and named no set.
    var firstChunk: UInt64?
  }

  /// Chosen: a sender that repeats a chunk goes back a few chunks.
  private static let placesAtMost = 64
  /// Chosen: about twenty sets.
  private static let loggedControlsAtMost = 64

  mutating func note(_ place: Place) {
    if places.count >= Self.placesAtMost { places.removeFirst() }
    places.append(place)
  }

  /// Whether a message without a session was one of this session.
  func has(_ hash: UInt64) -> Bool {
    places.contains { $0.hash == hash } || log.contains { $0.hash == hash }
  }

  /// The place in the log of the control message that a repeated chunk without a set's id followed; nil for a
  /// chunk that is not known.
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

  /// The facts as a journal keeps them.
  ///
  /// - Parameter isLast: Whether the session is that of messages without one.
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
