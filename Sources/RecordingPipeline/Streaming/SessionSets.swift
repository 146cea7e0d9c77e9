import Motion
import RecordingInput

/// The sets that sessions have open and had open, by their ids in capitals.
struct SessionSets: Codable {
  /// The sessions that have a set open, by the set's id; and the open sets of each session, with their exercises.
  private var holders: [String: Set<String>] = [:]
  private var open: [String: [String: String]] = [:]
  private var ended: [String: Set<String>] = [:]
  /// The sessions of sets that ended before any session was under way, by the set's id.
  private var formerHolders: [String: String] = [:]
  /// Sets that began without a session, and the session that named them first.
  private var unnamed: [String: String] = [:]

  private static let endedPerSession = 4_096
  private static let withoutSessionAtMost = 16_384

  func sessions(having id: String) -> Set<String> { holders[id] ?? [] }

  func formerSession(of id: String) -> String? { formerHolders[id] }

  func isOpen(_ id: String, in session: String) -> Bool { open[session]?[id] != nil }

  func hasEnded(_ id: String, in session: String) -> Bool { ended[session]?.contains(id) ?? false }

  /// The open sets of a session, of one exercise or all.
  func open(in session: String, exercise: String? = nil) -> [String] {
    (open[session] ?? [:]).compactMap { id, own in
      exercise == nil || own.uppercased() == exercise ? id : nil
    }
  }

  /// The exercise of a set that is open, none for one that has ended, and nil for one that is new.
  func knownExercise(of id: String, in session: String) -> String?? {
    if let exercise = open[session]?[id] { return exercise.isEmpty ? nil : exercise }
    return ended[session]?.contains(id) == true ? .some(nil) : nil
  }

  /// Whether a set that began without a session is the one that a session means by its id.
  func isUnnamed(_ id: String, in session: String) -> Bool {
    guard let naming = unnamed[id] else { return false }
    return naming == session || naming.isEmpty && holders[id]?.contains(session) != true
  }

  /// Notes that a set that began without a session was named by one.
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

  /// - Parameter isAlone: Whether no session is under way.
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
