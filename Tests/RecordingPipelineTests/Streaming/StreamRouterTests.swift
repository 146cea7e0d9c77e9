import ChunkDecoding
import Motion
import RecordingInput
import Testing
import TextFormats
import WorkoutHistory

@testable import MotionSynthesis
@testable import RecordingPipeline

@Suite struct StreamRouterTests {
  private func routed(
    _ lines: [String], into router: inout StreamRouter
  ) -> (messages: [RoutedMessage], events: [StreamEvent]) {
    for (index, line) in lines.enumerated() {
      let input = StreamInput(number: index + 1, content: .line(Array(line.utf8)))
      if let decoded = DecodedInput(input, options: StreamOptions()) { router.route(decoded) }
    }
    let taken = router.take()
    return (taken.messages, taken.events.map(\.event))
  }

  private func chunk(_ session: String?, _ set: String?, time: Double = 1) -> String {
    JSONObjectText([
      "sessionId": .text(session), "setId": .text(set),
      "samples": .json(
        "[{\"timestamp\":\(time),\"accelerationX\":0.5,\"accelerationY\":0.1,\"accelerationZ\":0.2}]"
      ),
    ]).text
  }

  private func control(_ type: String, _ session: String?, _ set: String? = nil) -> String {
    String(
      decoding: StreamMessages.control(type, SetIdentity(sessionId: session, setId: set)),
      as: UTF8.self)
  }

  private func keys(_ messages: [RoutedMessage]) -> [StreamKey] {
    messages.compactMap { message in
      if case .chunk = message.operation { message.key } else { nil }
    }
  }

  @Test func setsAreIdentifiedBySessionAndId() {
    var router = StreamRouter(options: StreamOptions())
    let (messages, events) = routed(
      [chunk("a", "1"), chunk("b", "1"), chunk("A", "1")], into: &router)
    #expect(events.isEmpty)
    #expect(
      keys(messages) == [
        .set(session: "A", id: "1"), .set(session: "B", id: "1"), .set(session: "A", id: "1"),
      ])
  }

  @Test func chunksWithoutSessionBelongToTheOpenOne() {
    var router = StreamRouter(options: StreamOptions())
    let (messages, events) = routed(
      [
        control("startWorkout", "a"), control("startSet", nil, "1"), chunk(nil, "1"),
        control("startWorkout", "b"), control("startSet", nil, "2"),
        // The chunk belongs to the first session, whose set is still open.
        chunk(nil, "1"), chunk(nil, nil),
      ], into: &router)
    #expect(events.isEmpty)
    #expect(
      keys(messages) == [
        .set(session: "A", id: "1"), .set(session: "A", id: "1"), .set(session: "B", id: "2"),
      ])
  }

  @Test func setIdsOpenInSeveralSessionsAreAmbiguous() {
    var router = StreamRouter(options: StreamOptions())
    let (messages, events) = routed(
      [
        chunk("a", "1"), chunk("b", "1"), control("startWorkout", "c"), chunk(nil, "1"),
      ], into: &router)
    #expect(keys(messages).count == 2)
    guard case .error(let kind, _, _)? = events.first?.kind else {
      Issue.record("no error")
      return
    }
    #expect(kind == "ambiguousSet")
    #expect(events.first?.line == 4)
  }

  private func start(_ session: String, _ person: String?) -> String {
    let user = person.map { ",\"userId\":\"\($0)\"" } ?? ""
    return "{\"type\":\"startWorkout\",\"sessionId\":\"\(session)\"\(user)}"
  }

  /// While two people train, a message without a session is refused, unless its set is open in only one.
  @Test(arguments: ["bert", nil]) func ambiguousMessagesAreRefused(other: String?) {
    var router = StreamRouter(options: StreamOptions())
    let (messages, events) = routed(
      [
        start("a", "anna"), start("b", other), chunk(nil, nil), control("startSet", nil),
        control("endSet", nil), control("startSet", "b", "1"), chunk(nil, "1"), chunk(nil, "2"),
        control("endWorkout", "b"), chunk(nil, nil),
      ], into: &router)
    #expect(keys(messages) == [.set(session: "B", id: "1"), .session("A")])
    let refused = events.compactMap { event in
      if case .error(let kind, _, _) = event.kind { "\(kind) \(event.line ?? 0)" } else { nil }
    }
    #expect(refused == [3, 4, 5, 8].map { "ambiguousSession \($0)" })
  }

  /// A person who starts another session leaves the first one, until a message names it again.
  @Test func leftSessionsAreNotOpen() {
    var router = StreamRouter(options: StreamOptions())
    let (messages, events) = routed(
      [
        start("a", "anna"), start("b", "anna"), chunk(nil, nil), chunk("a", "1"), chunk(nil, nil),
      ], into: &router)
    #expect(keys(messages) == [.session("B"), .set(session: "A", id: "1")])
    #expect(events.map(\.line) == [5])
  }

  @Test func endingAnUnknownSetIsRefused() {
    var router = StreamRouter(options: StreamOptions())
    let (messages, events) = routed(
      [control("startSet", "a", "1"), control("endSet", "a", "2"), chunk("a", nil)], into: &router)
    #expect(keys(messages) == [.set(session: "A", id: "1")])
    guard case .error("unknownSet", _, _)? = events.first?.kind else {
      Issue.record("\(events)")
      return
    }
  }

  /// A chunk's set does not get the exercise that its session has now.
  @Test func lateChunksKeepTheirExercise() {
    var router = StreamRouter(options: StreamOptions())
    func exercise(_ id: String) -> String {
      "{\"type\":\"startExercise\",\"sessionId\":\"a\",\"exerciseId\":\"\(id)\"}"
    }
    let (messages, _) = routed(
      [
        exercise("F"), control("startSet", "a", "1"), chunk("a", "1"), exercise("E"),
        chunk("a", "1", time: 2), control("endSet", "a", "1"), control("startSet", "a", "2"),
        chunk("a", "1", time: 3), chunk("a", "2"),
      ], into: &router)
    let exercises = messages.compactMap { message in
      if case .chunk(let chunk) = message.operation { chunk.identity.exerciseId ?? "" } else { nil }
    }
    #expect(exercises == ["F", "F", "", "E"])
  }

  /// Chunks may arrive before their session is named.
  @Test func aSessionMayBeNamedLater() {
    var router = StreamRouter(options: StreamOptions())
    let (messages, _) = routed(
      [chunk(nil, "x"), chunk("a", "x"), chunk("b", "x"), chunk("a", "x")], into: &router)
    let unnamed = StreamKey.set(session: "", id: "X")
    #expect(keys(messages) == [unnamed, unnamed, .set(session: "B", id: "X"), unnamed])
  }

  /// Refused messages change neither the current session nor the assignment of unnamed sets.
  @Test func refusedMessagesChangeNothing() {
    var router = StreamRouter(options: StreamOptions())
    let (messages, events) = routed(
      [
        chunk(nil, "x"), start("b", "anna"), start("a", "anna"), start("b", "bert"),
        chunk("b", "x"), chunk(nil, nil), chunk("a", "x", time: 2),
      ], into: &router)
    #expect(events.filter { $0.name == "error" }.map(\.line) == [4, 5])
    let unnamed = StreamKey.set(session: "", id: "X")
    #expect(keys(messages) == [unnamed, .session("A"), unnamed])
  }

  /// Ids are spelled as in the store, and a session without a named person belongs to its owner in the store.
  @Test func spellingAndPersonComeFromTheStore() {
    var store = RouterStore()
    store.session = { id in
      guard id.uppercased() == "S" else { return nil }
      return (id: "S", person: "anna")
    }
    store.set = { id, session in session == "S" && id.uppercased() == "X" ? "X" : nil }
    var router = StreamRouter(options: StreamOptions(), store: store)
    let (messages, _) = routed(
      [chunk("s", "x"), chunk("t", "y"), chunk("T", "Y", time: 2)], into: &router)
    let chunks = messages.filter { if case .chunk = $0.operation { true } else { false } }
    #expect(chunks.map(\.identity.sessionId) == ["S", "t", "t"])
    #expect(chunks.map(\.identity.setId) == ["X", "y", "y"])
    #expect(chunks.map(\.person) == ["anna", nil, nil])
  }

  @Test func endExerciseOnlyEndsSetsOfItsSession() {
    var router = StreamRouter(options: StreamOptions())
    func start(_ session: String, _ exercise: String, _ set: String) -> String {
      String(
        decoding: StreamMessages.control(
          "startSet", SetIdentity(sessionId: session, exerciseId: exercise, setId: set)),
        as: UTF8.self)
    }
    let (messages, _) = routed(
      [
        start("a", "e", "1"), start("b", "e", "1"), start("a", "f", "2"),
        String(
          decoding: StreamMessages.control(
            "endExercise", SetIdentity(sessionId: "a", exerciseId: "E")), as: UTF8.self),
      ], into: &router)
    let ended = messages.compactMap { message in
      if case .end = message.operation { message.key } else { nil }
    }
    #expect(ended == [.set(session: "A", id: "1")])
  }

  /// Before the end of the first set, equal bytes are a repetition.
  @Test func equalStartsWithoutIdBeginANewSetOnlyAfterTheEnd() {
    var router = StreamRouter(options: StreamOptions())
    let start = control("startSet", "a")
    let end = control("endSet", "a")
    let (messages, events) = routed(
      [start, start, chunk("a", nil), end, start, chunk("a", nil, time: 2), end], into: &router)
    #expect(events.isEmpty)
    #expect(
      keys(messages) == [
        .numberedSet(session: "A", number: 1), .numberedSet(session: "A", number: 2),
      ])
  }

  @Test func countsWithoutASetCauseAWarning() {
    var router = StreamRouter(options: StreamTrial.options)
    let (_, events) = routed(
      [
        "{\"type\":\"correctSet\",\"sessionId\":\"a\",\"reps\":9}", control("startSet", "a"),
        "{\"type\":\"endSet\",\"sessionId\":\"a\",\"reps\":9}", control("startSet", "a", "1"),
        "{\"type\":\"endSet\",\"sessionId\":\"a\",\"reps\":9}",
        "{\"type\":\"correctSet\",\"sessionId\":\"a\",\"setId\":\"1\",\"reps\":9}",
      ], into: &router)
    let warned = events.filter { event in
      if case .warning(let kind, _) = event.kind { kind == "control" } else { false }
    }
    #expect(warned.map(\.line) == [1, 3])
  }

  @Test func invalidPhasesCauseAWarning() {
    var router = StreamRouter(options: StreamOptions())
    let (_, events) = routed(
      [
        control("updatePhase", "a"), "{\"type\":\"updatePhase\",\"phase\":\"foo\"}",
        "{\"type\":\"updatePhase\",\"phase\":\"rest\"}",
        "{\"type\":\"phase_change_detected\",\"to_phase\":\"execution\"}",
      ], into: &router)
    #expect(Set(events.map(\.line)) == [1, 2])
    #expect(events.allSatisfy { $0.name == "warning" })
  }

  /// A key can be read back from its name.
  @Test func journalNamesOfKeysAreUnique() throws {
    let keys: [StreamKey] = [
      .set(session: "", id: "A"), .set(session: "S", id: "A"), .set(session: "A", id: "S"),
      .set(session: "", id: "[\"set\",\"S\",\"A\"]"), .session(""), .session("S"),
      .session("S set #1"), .numberedSet(session: "S", number: 1),
      .numberedSet(session: "", number: 1), .set(session: "S\" ", id: "\n\\"),
    ]
    #expect(Set(keys.map(\.text)).count == keys.count)
    for key in keys {
      let kind: JournalSet.Kind = key.isDeclaredSet ? .declared : .found
      #expect(StreamKey(JournalSet(key: key.text, kind: kind, identity: SetIdentity())) == key)
    }
    // The set began without a session and got one later.
    let joined = JournalSet(
      key: "set X", kind: .declared, identity: SetIdentity(sessionId: "s", setId: "x"))
    #expect(StreamKey(joined) == .set(session: "S", id: "X"))
  }
}
