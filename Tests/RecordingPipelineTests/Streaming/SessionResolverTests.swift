import ChunkDecoding
import Motion
import RecordingInput
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import RecordingPipeline

/// The resolver alone: a value that depends only on the messages so far.
@Suite struct SessionResolverTests {
  private func control(
    _ kind: ControlMessage.Kind, _ session: String?, set: String? = nil, person: String? = nil,
    at date: Double? = nil
  ) -> ControlMessage {
    var message = ControlMessage(
      kind: kind, identity: SetIdentity(sessionId: session, setId: set), unixTime: date)
    message.details.userId = person
    return message
  }

  /// Applies a control message. Returns whether it is a repetition; nil while that is undecided.
  @discardableResult
  private func apply(
    _ control: ControlMessage, hash: UInt64, to resolver: inout SessionResolver
  ) throws -> Bool? {
    let session = try resolver.session(of: control.identity).get()
    let message = HeldControl(control: control, session: session, hash: hash, line: 0)
    let verdict = resolver.verdict(on: message)
    for held in verdict.held where !verdict.heldAreRepeated {
      let address = try resolver.address(held.control.identity, in: session).get()
      _ = resolver.apply(held.control, hash: held.hash, at: address)
    }
    if verdict.isHeld { return nil }
    guard !verdict.isRepeated else { return true }
    if control.kind == .startWorkout {
      resolver.noteStart(of: session, by: control.details.userId) { $0 == $1 }
    }
    let address = try resolver.address(control.identity, in: session).get()
    _ = resolver.apply(control, hash: hash, at: address)
    if control.kind == .startSet {
      resolver.noteMember(try resolver.address(control.identity, in: session).get())
    }
    return false
  }

  @Test func aSessionKeepsItsFirstPerson() throws {
    var resolver = SessionResolver()
    try apply(control(.startWorkout, "s"), hash: 1, to: &resolver)
    #expect(resolver.sessions["S"]?.person == nil)
    try apply(control(.startWorkout, "s", person: "anna"), hash: 2, to: &resolver)
    resolver.noteStart(of: "S", by: "bert") { _, _ in false }
    #expect(resolver.sessions["S"]?.person == "anna")
    let refused = resolver.address(SetIdentity(sessionId: "s"), in: "S")
    #expect(refused == .failure(.contestedSession))
    resolver.noteStart(of: "S", by: nil) { _, _ in false }
    #expect(resolver.sessions["S"]?.isContested == true)
    resolver.noteStart(of: "S", by: "ANNA") { _, _ in false }
    #expect(resolver.sessions["S"]?.isContested == false)
  }

  @Test func factsSurviveStorage() throws {
    var resolver = SessionResolver()
    try apply(control(.startWorkout, "s", person: "anna", at: 5), hash: 1, to: &resolver)
    try apply(control(.startSet, "s"), hash: 2, to: &resolver)
    resolver.note(
      .init(hash: 7, key: .numberedSet(session: "S", number: 1)), of: SetIdentity(sessionId: "s"),
      in: "S")
    let facts = try #require(resolver.sessions["S"])
    let (read, isLast) = try #require(SessionFacts.parse(facts.text(isLast: true)))
    #expect(read == facts && isLast)
    #expect(resolver.takeChanged() == ["", "S"] && resolver.takeChanged().isEmpty)
  }

  /// After a restart the messages of a session are repeated from any place: each has its original meaning,
  /// and none takes effect twice.
  @Test(arguments: 0..<(isFullRun ? 2_000 : 100)) func aReplayChangesNothing(seed: Int) throws {
    var random = RandomSource(seed: UInt64(seed))
    var messages: [(control: ControlMessage, hash: UInt64)] = [
      (control(.startWorkout, "s", at: 1), 1)
    ]
    for number in 0..<Int.random(in: 1...6, using: &random) {
      let isDated = Bool.random(using: &random)
      let date = isDated ? Double(number) : nil
      messages.append((control(.startSet, "s", at: date), isDated ? UInt64(100 + number) : 2))
      // Each set has a chunk, whose hash is the number of the message before it plus 1,000.
      messages.append((control(.endSet, "s", at: date), isDated ? UInt64(200 + number) : 3))
    }
    func run(_ range: Range<Int>, in resolver: inout SessionResolver) throws -> [StreamKey] {
      var keys: [StreamKey] = []
      for index in range {
        try apply(messages[index].control, hash: messages[index].hash, to: &resolver)
        guard messages[index].control.kind == .startSet else { continue }
        let (own, hash) = (SetIdentity(sessionId: "s"), UInt64(1_000 + index))
        let verdict = resolver.verdict(onChunk: own, hash: hash, in: "S")
        for held in verdict.held where !verdict.heldAreRepeated {
          let address = try resolver.address(held.control.identity, in: "S").get()
          _ = resolver.apply(held.control, hash: held.hash, at: address)
        }
        let address = try resolver.address(own, in: "S", hash: hash).get()
        resolver.note(own, at: address)
        if address.place == nil {
          resolver.note(.init(hash: hash, key: address.key), of: own, in: "S")
        }
        keys.append(address.key)
      }
      return keys
    }
    var whole = SessionResolver()
    let expected = try run(messages.indices, in: &whole)
    #expect(Set(expected).count == expected.count)

    let killed = Int.random(in: 1...messages.count, using: &random)
    var first = SessionResolver()
    _ = try run(0..<killed, in: &first)
    let text = try #require(first.sessions["S"]).text(isLast: true)
    var second = SessionResolver(resumesRuns: true)
    second.load(try #require(SessionFacts.parse(text)).0, as: "S")
    second.load(current: "S") { _ in nil }
    let again = Int.random(in: 0...killed, using: &random)
    let keys = try run(again..<messages.count, in: &second)
    #expect(keys == Array(expected.suffix(keys.count)), "killed \(killed), again \(again)")
    for verdict in second.finalVerdicts() where !verdict.heldAreRepeated {
      for held in verdict.held {
        let address = try second.address(held.control.identity, in: "S").get()
        _ = second.apply(held.control, hash: held.hash, at: address)
      }
    }
    #expect(second.sessions["S"]?.context == whole.sessions["S"]?.context)
  }
}
