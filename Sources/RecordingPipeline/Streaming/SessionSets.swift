import Motion
import RecordingInput

/// The open and ended sets of sessions, by set id in capitals.
struct SessionSets: Codable {
  /// The sessions in which a set is open, by set id; and the open sets of each session, with their exercises.
  private var holders: [String: Set<String>] = [:]
  private var open: [String: [String: String]] = [:]
  private var ended: [String: Set<String>] = [:]
  /// The sessions of sets that ended while no session was open, by set id.
  private var formerHolders: [String: String] = [:]
  /// Sets that began without a session, with the first session that named them.
  private var unnamed: [String: String] = [:]

  private static let endedPerSession = 4_096
  private static let withoutSessionAtMost = 16_384

  func sessions(having id: String) -> Set<String> { holders[id] ?? [] }

  func formerSession(of id: String) -> String? { formerHolders[id] }

  func isOpen(_ id: String, in session: String) -> Bool { open[session]?[id] != nil }

  func hasEnded(_ id: String, in session: String) -> Bool { ended[session]?.contains(id) ?? false }

  /// Returns the open sets of a session, of one exercise or of all.
  func open(in session: String, exercise: String? = nil) -> [String] {
    (open[session] ?? [:]).compactMap { id, own in
      exercise == nil || own.uppercased() == exercise ? id : nil
    }
  }

  /// Returns the exercise of a set; `.some(nil)` if it has ended or has no exercise, nil if it is new.
  func knownExercise(of id: String, in session: String) -> String?? {
    if let exercise = open[session]?[id] { return exercise.isEmpty ? nil : exercise }
    return ended[session]?.contains(id) == true ? .some(nil) : nil
  }

  /// Returns whether a session's set id refers to a set that began without a session.
  func isUnnamed(_ id: String, in session: String) -> Bool {
    guard let naming = unnamed[id] else { return false }
    return naming == session || naming.isEmpty && holders[id]?.contains(session) != true
  }

  /// Records that a session named a set that began without one.
  mutating func noteUnnamed(_ id: String, in session: String) {
    if unnamed.count >= Self.withoutSessionAtMost, unnamed[id] == nil { unnamed = [:] }
    if unnamed[id]?.isEmpty ?? true { unnamed[id] = session }
  }

  mutating func open(_ id: String, in session: String, exercise: String?) {
    guard ended[session]?.contains(id) != true else { return }
    holders[id, default: []].insert(session)
    let known = open[session]?[id] ?? ""
    open[session, default: [:]][id] = known.isEmpty ? exercise ?? "" : known
  }

  mutating func noteEnded(_ id: String, in session: String) {
    if ended[session]?.count ?? 0 >= Self.endedPerSession { ended[session] = [] }
    ended[session, default: []].insert(id)
  }

  /// - Parameter isAlone: Whether no session is open.
  mutating func close(_ id: String, in session: String, isAlone: Bool) {
    release(id, session)
    open[session]?[id] = nil
    noteEnded(id, in: session)
    guard isAlone else { return }
    if formerHolders.count >= Self.withoutSessionAtMost { formerHolders = [:] }
    formerHolders[id] = session
  }

  mutating func forget(_ session: String) {
    for id in open(in: session) { release(id, session) }
    open[session] = nil
    ended[session] = nil
  }

  private mutating func release(_ id: String, _ session: String) {
    holders[id]?.remove(session)
    if holders[id]?.isEmpty == true { holders[id] = nil }
  }
}
