import Foundation
import GRDB
import Motion
import RepDetection
import TestSupport
import Testing
import TimelineFormat

@testable import MotionSynthesis
@testable import RecordingPipeline
@testable import WorkoutHistory

/// Dividing a stream into runs, by clean ends or kills, does not change its history.
@Suite struct StreamRestartTests {
  /// Returns a session of three sets with rest between them, in chunks of five seconds.
  private static func session(seed: UInt64, isDeclared: Bool) throws -> [[UInt8]] {
    var options = SynthesisOptions(seed: seed)
    options.sets = 3
    options.reps = 6
    options.restSeconds = 25
    options.rate = .watch
    let recording = try RecordingSynthesizer(options).make().recording
    let session = SetIdentity(sessionId: "session-\(seed)")
    var messages = [StreamMessages.control("startWorkout", session)]
    var number = 0
    for span in recording.phases {
      var identity = session
      if isDeclared, span.phase == .execution {
        number += 1
        identity.setId = "\(number)"
        messages.append(StreamMessages.control("startSet", identity))
      }
      messages += try StreamMessages.frames(
        recording, rows: span.rows, size: 250, identity: identity, hasPhase: isDeclared)
      if identity.setId != nil { messages.append(StreamMessages.control("endSet", identity)) }
    }
    return messages + [StreamMessages.control("endWorkout", session)]
  }

  /// Cuts the stream at every place, with declared and detected sets, by a clean end and by a kill.
  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func cuttingOnceAnywhereKeepsTheResults(isDeclared: Bool, isClean: Bool) throws {
    let messages = try Self.session(seed: 71, isDeclared: isDeclared)
    let reference = try StreamTrial(messages, seed: 11)
    let (expected, answers) = (try reference.contents(), reference.finalAnswers)
    #expect(!answers.isEmpty)
    let step = isFullRun ? 1 : 8
    for place in stride(from: 1, to: messages.count, by: step) {
      let divided = try StreamTrial(messages, cutAt: [place], isClean: isClean, seed: UInt64(place))
      #expect(try divided.contents() == expected, "cut at \(place) of \(messages.count)")
      #expect(divided.finalAnswers == answers, "cut at \(place) of \(messages.count)")
    }
  }

  enum SnapshotFate: CaseIterable {
    case kept, damaged, ofAnotherBuild, missing, unreadableMessage
  }

  /// After a kill counting resumes from the set's snapshot, or from the start if the snapshot is unusable.
  /// Later events equal those of the undivided stream.
  @Test(arguments: SnapshotFate.allCases, [true, false])
  func countingResumesFromASnapshot(fate: SnapshotFate, isDeclared: Bool) throws {
    var random = RandomSource(seed: 15)
    let messages = try Self.session(seed: 74, isDeclared: isDeclared)
    var options = StreamTrial.options
    options.samplesBetweenSnapshots = 300
    let reference = try StreamTrial(messages, options: options, random: &random)
    let (expected, lines) = (try reference.contents(), reference.lines)
    var snapshots = 0
    for place in stride(from: 2, to: messages.count, by: isFullRun ? 1 : 14) {
      let divided = try StreamTrial()
      let first = divided.engine(options)
      try divided.feed(messages[..<place], to: first, firstNumber: 1, random: &random)
      var isUnreadable = false
      try divided.store.write { db in
        snapshots += try Int.fetchOne(db, sql: "SELECT count(snapshot) FROM journal_set") ?? 0
        switch fate {
        case .kept: break
        case .damaged:
          try db.execute(
            sql: "UPDATE journal_set SET snapshot = zeroblob(1000) WHERE snapshot IS NOT NULL")
        case .ofAnotherBuild:
          try db.execute(
            sql: "UPDATE journal_set SET snapshot = ? WHERE snapshot IS NOT NULL",
            arguments: [Data(RepDetector().snapshot())])
        case .missing: try db.execute(sql: "UPDATE journal_set SET snapshot = NULL")
        case .unreadableMessage:
          try db.execute(sql: "UPDATE journal_entry SET checksum = 0 WHERE id = 2")
          isUnreadable = db.changesCount > 0
        }
      }
      let second = divided.engine(options)
      try divided.recover(second)
      #expect(second.memory.sampleBytes == 0, "nothing is read before it is needed")
      try divided.feed(messages[place...], to: second, firstNumber: place + 1, random: &random)
      try divided.finish(second)
      if fate == .unreadableMessage {
        // The readable messages are counted from the start, and the loss is reported.
        let kinds = divided.events.compactMap {
          if case .error(let kind, _, _) = $0.kind { kind } else { nil }
        }
        #expect(kinds.contains("damagedJournal") == isUnreadable, "\(kinds)")
        guard !isUnreadable else { continue }
      }
      #expect(divided.lines == lines, "killed at \(place) of \(messages.count)")
      #expect(try divided.contents() == expected, "killed at \(place) of \(messages.count)")
    }
    #expect(snapshots > 0)
  }

  @Test func snapshotsOfOtherConfigurationsAreRejected() throws {
    let count = DeclaredCount(configuration: DetectorConfiguration())
    let bytes = try #require(
      LiveSnapshot(declaredCount: count, foundSets: nil, said: [], openStart: nil).bytes)
    var other = DetectorConfiguration()
    other.hints.targetReps = 5
    #expect(LiveSnapshot(bytes, configuration: DetectorConfiguration()) != nil)
    #expect(LiveSnapshot(bytes, configuration: other) == nil)
  }

  /// Many restarts in one session, with exact and bounded precision, and with repeated chunks.
  @Test(arguments: 0..<(isFullRun ? 60 : 4))
  func manyRestartsKeepTheHistory(trial: Int) throws {
    var random = RandomSource(seed: UInt64(4000 + trial))
    var messages = try Self.session(seed: UInt64(80 + trial), isDeclared: trial % 2 == 0)
    // Without its end, the last set is cut, too.
    if trial % 3 == 0 { messages.removeLast() }
    var options = StreamTrial.options
    if trial % 4 > 1 { options.storage.precision = .bounded() }
    let reference = try StreamTrial(messages, options: options, random: &random)
    let expected = try reference.contents()
    let divided = try StreamTrial()
    var places = (0..<5).map { _ in Int.random(in: 1..<messages.count, using: &random) }
    places.sort()
    for (index, place) in places.enumerated() where index % 2 == 1 {
      messages.insert(messages[place - 1], at: place)
    }
    try divided.run(
      messages, cutAt: places, isClean: trial % 2 == 0, options: options, random: &random)
    #expect(try divided.contents() == expected)
  }

  /// The detected sets of the earlier run are dropped.
  @Test func declaringASetAfterARestartDropsDetectedSets() throws {
    var messages = try Self.session(seed: 72, isDeclared: false)
    let identity = SetIdentity(sessionId: "session-72", setId: "late")
    messages.insert(StreamMessages.control("startSet", identity), at: messages.count - 1)
    let reference = try StreamTrial(messages, seed: 12)
    let divided = try StreamTrial(messages, cutAt: [messages.count - 2], seed: 13)
    #expect(try divided.contents() == reference.contents())
    #expect(divided.finalAnswers == reference.finalAnswers)
  }

  /// Late health readings, in bursts, belong to their set before and after its end, in one run or several,
  /// without duplicates.
  @Test(arguments: [[], [4], [6], [9], [11]]) func keepsLateReadings(cutAt places: [Int]) throws {
    let identity = SetIdentity(sessionId: "S", setId: "x")
    let recording = try StreamMessages.recording(seed: 79)
    func reading(_ time: Int, _ ids: String = "\"sessionId\":\"S\",\"setId\":\"x\"") -> [UInt8] {
      Array("{\"type\":\"healthData\",\(ids),\"heartRate\":99,\"timestamp\":\(time)}".utf8)
    }
    let chunks = try StreamMessages.frames(recording, rows: 0..<250, size: 50, identity: identity)
    let messages =
      chunks + [reading(1_750_000_000), StreamMessages.control("endSet", identity)]
      + [1_750_000_010, 1_750_000_020, 1_750_000_020].map { reading($0) }
      + [reading(1_750_000_030, "\"sessionId\":\"none\""), reading(1_750_000_040)]
    for isClean in [true, false] {
      let trial = try StreamTrial(messages, cutAt: places, isClean: isClean, seed: 16)
      let saved = try trial.store.recordings()
      let health = try saved.map { try trial.store.recording($0.id).health.map(\.unixTime) }
      #expect(health == [[0, 10, 20, 40].map { 1_750_000_000 + $0 }], "\(places) \(isClean)")
      #expect(try trial.store.journal.sets().isEmpty)
    }
  }

  @Test func setsAreNumberedInOrderOfEnding() throws {
    let recording = try StreamMessages.recording(seed: 79)
    let ids = ["e", "b", "d", "a", "c"].map { SetIdentity(sessionId: "S-" + $0, setId: $0) }
    let messages =
      try ids.reversed().map {
        try StreamMessages.frame(recording, rows: 0..<100, identity: $0)
      } + ids.map { StreamMessages.control("endSet", $0) }
    for size in [1, messages.count] {
      let trial = try StreamTrial()
      try trial.run(messages, batch: size, ends: false)
      #expect(try trial.store.sets(after: nil, limit: 9).map(\.setId?.rawValue) == ids.map(\.setId))
    }
  }

  /// Events do not repeat.
  @Test func liveEventsContinueAfterACleanEnd() throws {
    let messages = try Self.session(seed: 73, isDeclared: false)
    let reference = try StreamTrial(messages, seed: 13)
    let divided = try StreamTrial(messages, cutAt: [messages.count / 2], seed: 13)
    func count(_ name: String, _ trial: StreamTrial) -> Int {
      trial.events.count { $0.name == name }
    }
    #expect(count("setEnded", divided) == count("setEnded", reference))
    #expect(count("setStarted", divided) == count("setStarted", reference))
    #expect(count("rep", divided) > 10)
    var counts: [Int?: Int] = [:]
    for event in divided.events {
      switch event.kind {
      case .rep(let count, _):
        #expect(count > counts[event.setNumber] ?? 0, "set \(event.setNumber ?? 0)")
        counts[event.setNumber] = count
      case .repCorrected(let count): counts[event.setNumber] = count
      // The next set takes the number.
      case .setCancelled, .setStarted(_, _, isRecovered: false): counts[event.setNumber] = nil
      default: break
      }
    }
  }

  /// Recounting after every late chunk would take quadratic time.
  @Test func lateChunksTakeLinearTime() throws {
    let identity = SetIdentity(sessionId: "x", setId: "s")
    let recording = try StreamMessages.recording(seed: 78)
    let chunks = try StreamMessages.frames(recording, size: 4, identity: identity, hasPhase: false)
    let half = chunks.count / 2
    let trial = try StreamTrial(
      Array(chunks[..<half]) + [StreamMessages.control("endSet", identity)]
        + Array(chunks[half...]), seed: 14)
    #expect(trial.events.count { $0.name == "setRevised" } < 24)
    let whole = try StreamTrial(chunks, seed: 14)
    #expect(try trial.contents() == whole.contents())
    #expect(trial.finalAnswers == whole.finalAnswers)
  }

  /// Two people have sessions with equal ids. Neither gets the other's samples, even after a restart.
  @Test(arguments: [false, true]) func sessionsOfTwoPeopleStaySeparate(isDivided: Bool) throws {
    let recording = try StreamMessages.recording(seed: 5, reps: 6)
    func workout(_ person: String) throws -> [[UInt8]] {
      let set = SetIdentity(sessionId: "S", setId: "set-\(person)")
      let start = "{\"type\":\"startWorkout\",\"sessionId\":\"S\",\"userId\":\"\(person)\"}"
      return [Array(start.utf8), StreamMessages.control("startSet", set)]
        + (try StreamMessages.frames(recording, size: 100, identity: set))
        + ["endSet", "endWorkout"].map { StreamMessages.control($0, set) }
    }
    let (first, second) = (try workout("anna"), try workout("bert"))
    let messages = first + second + first
    // Also cuts within the second person's messages.
    let places = isDivided ? [first.count, first.count + 4] : []
    let trial = try StreamTrial(messages, cutAt: places, seed: 3)
    #expect(try trial.store.sets().map(\.key) == ["set-anna"])
    #expect(try trial.store.recordings().map(\.sampleCount) == [recording.samples.count])
    let refused = trial.events.filter { event in
      if case .error("ambiguousSession", _, _) = event.kind { true } else { false }
    }
    #expect(refused.count == second.count)
    let ofTheSecond = first.count + 1...first.count + second.count
    #expect(!trial.acknowledgedLines().contains { ofTheSecond.contains($0) })
  }

  /// Returns the messages of a set, from its start to its end.
  private static func set(
    _ id: String, session: String = "S", start: String = "", end: String = "", seed: UInt64 = 5,
    chunksNameIt: Bool = true
  ) throws -> [[UInt8]] {
    let recording = try StreamMessages.recording(seed: seed, reps: 6)
    let identity = SetIdentity(sessionId: session, setId: chunksNameIt ? id : nil)
    return [message("startSet", session: session, ",\"setId\":\"\(id)\"\(start)")]
      + (try StreamMessages.frames(recording, size: 100, identity: identity))
      + [message("endSet", session: session, ",\"setId\":\"\(id)\"\(end)")]
  }

  private static func message(_ type: String, session: String = "S", _ members: String = "")
    -> [UInt8]
  {
    Array("{\"type\":\"\(type)\",\"sessionId\":\"\(session)\"\(members)}".utf8)
  }

  private static func start(_ person: String?, session: String = "S") -> [UInt8] {
    message("startWorkout", session: session, person.map { ",\"userId\":\"\($0)\"" } ?? "")
  }

  /// A workout without a person makes no claim, and names are case-insensitive.
  @Test(arguments: [false, true]) func sessionsOfOnePersonAreAccepted(isDivided: Bool) throws {
    let (first, second) = (try Self.set("1"), try Self.set("2", seed: 6))
    let end = StreamMessages.control("endWorkout", SetIdentity(sessionId: "S"))
    let cases: [(parts: [[[UInt8]]], sets: Int, belongsToAnna: Bool)] = [
      // Samples received before a person was named may be in the history by then.
      ([first, [Self.start("anna")] + second + [end]], 2, false),
      ([[Self.start(nil)], [Self.start("anna")] + first + [end]], 1, true),
      ([[Self.start(nil)] + first, [Self.start("anna")] + second + [end]], 2, true),
      (
        [
          [Self.start("anna")] + first + [end],
          [Self.start(nil), Self.start("anna")] + second + [end],
        ],
        2, true
      ),
      ([[Self.start("anna")] + first, [Self.start("login-1")] + second + [end]], 2, true),
      ([[Self.start("anna")] + first, [Self.start("Anna")] + second + [end]], 2, true),
      (
        [[Self.start("anna")] + first, [Self.start("anna", session: "s")] + second + [end]], 2, true
      ),
    ]
    for (index, item) in cases.enumerated() {
      var random = RandomSource(seed: 3)
      let trial = try StreamTrial()
      var anna = HistoryUser(uuid: "anna", name: "Anna")
      anna.providerId = "login-1"
      try trial.store.users.save(anna)
      try trial.run(
        item.parts.flatMap { $0 }, cutAt: isDivided ? [item.parts[0].count] : [],
        random: &random)
      #expect(!trial.events.contains { $0.name == "error" }, "\(index)")
      let sets = try trial.store.sets()
      #expect(sets.count == item.sets, "\(index)")
      if item.belongsToAnna {
        let id = try #require(try trial.store.users.user("anna")?.id)
        #expect(sets.allSatisfy { $0.user == id }, "\(index)")
        #expect(try trial.store.workouts.allInProgress().isEmpty, "\(index)")
        #expect(try trial.store.verify().isIntact)
      }
    }
  }

  enum Workout: CaseIterable {
    case ends, isNeverStarted, isClosedMeanwhile, isClosedBefore
  }

  /// Details from `startSet` are kept without an `endSet`, whether or not the workout is open.
  @Test(arguments: Workout.allCases) func startSetDetailsAreKept(workout: Workout) throws {
    let start = Self.message("startWorkout", ",\"timestamp\":1750000000")
    let other = Self.message("startWorkout", session: "T", ",\"timestamp\":1750000020")
    var set = try Self.set("x", start: ",\"targetReps\":7,\"weight\":50.5,\"timestamp\":1750000010")
    set.removeLast()
    var messages: [[UInt8]]
    switch workout {
    case .ends: messages = [start] + set
    case .isNeverStarted: messages = set
    case .isClosedMeanwhile:
      messages = [start] + set
      messages.insert(other, at: 4)
    case .isClosedBefore: messages = [start, other] + set
    }
    messages.append(Self.message("endWorkout", ",\"timestamp\":1750000900"))
    for places in [[], [4], [5], [messages.count - 1]] {
      for isClean in [true, false] {
        let trial = try StreamTrial(messages, cutAt: places, isClean: isClean, seed: 3)
        let row = try #require(try trial.store.set("x"))
        #expect(row.targetReps == 7 && row.weight == 50.5, "\(places) \(isClean)")
        #expect(row.detectedReps ?? 0 > 0)
        if [.ends, .isClosedMeanwhile].contains(workout) {
          #expect(row.startTime?.timeIntervalSince1970 == 1_750_000_010, "\(places) \(isClean)")
        }
        #expect(try trial.store.setCount() == 1)
      }
    }
  }

  /// Ids are case-sensitive in a history, but not in stream messages.
  @Test(arguments: [[], [3], [6], [-2], [-1]], [true, false])
  func messageIdsAreCaseInsensitive(cutAt places: [Int], isClean: Bool) throws {
    var set = try Self.set("X", session: "S0", start: ",\"exerciseId\":\"E\",\"weight\":5")
    let otherCase = try StreamMessages.frames(
      try StreamMessages.recording(seed: 5, reps: 6), size: 100,
      identity: SetIdentity(sessionId: "s0", exerciseId: "e", setId: "x"))
    for index in otherCase.indices where index % 2 == 1 { set[index + 1] = otherCase[index] }
    set.removeLast()
    let messages =
      [Self.start("anna", session: "S0")] + set + [
        Self.message("endSet", session: "s0", ",\"setId\":\"x\",\"reps\":9,\"weight\":7"),
        Self.message("endWorkout", session: "s0"),
        Self.message("correctSet", session: "s0", ",\"setId\":\"x\",\"reps\":10"),
      ]
    let trial = try StreamTrial(
      messages, cutAt: places.map { $0 < 0 ? messages.count + $0 : $0 }, isClean: isClean,
      seed: 3)
    let rows = try trial.store.sets()
    #expect(rows.map(\.key) == ["X"])
    let row = try #require(rows.first)
    #expect(row.sessionId == "S0" && row.exerciseId == "E")
    #expect(row.weight == 7 && row.correctedReps == 10)
    #expect(try row.user == trial.store.users.user("anna")?.id)
    #expect(try trial.store.workouts.page(HistoryFilter(user: nil)).count == 1)
  }

  /// After a kill a sender may restart at any earlier line.
  @Test func messagesRepeatedAfterAKillAreNotCountedAgain() throws {
    var random = RandomSource(seed: 3)
    let set = try Self.set("x")
    var options = StreamTrial.options
    options.samples = 5 * (set.count - 2) / 4 * 100
    options.samplesPerSet = options.samples
    let trial = try StreamTrial()
    let first = trial.engine(options)
    try trial.feed(set.dropLast(), to: first, firstNumber: 1, random: &random)
    let second = trial.engine(options)
    try trial.recover(second)
    try trial.feed(set[...], to: second, firstNumber: 1, random: &random)
    try trial.finish(second)
    #expect(!trial.events.contains { ["warning", "error", "setRevised"].contains($0.name) })
    #expect(trial.events.count { $0.name == "setEnded" } == 1)
  }

  /// The end of a set and the start of the next one may be in one batch or in several.
  @Test(arguments: [false, true]) func restDoesNotDependOnBatches(isOver: Bool) throws {
    let start = Self.message("startWorkout", ",\"timestamp\":1750000000")
    let messages =
      try [start]
      + Self.set("1", start: ",\"timestamp\":1750000010", end: ",\"timestamp\":1750000040")
      + Self.set("2", start: ",\"timestamp\":1750000200", seed: 6)
      + [Self.message("endWorkout")]
    var rests: [Double?] = []
    for size in [1, messages.count - (isOver ? 0 : 1)] {
      let trial = try StreamTrial()
      try trial.run(messages, batch: size, ends: false)
      rests.append(try trial.store.set("1")?.restTime)
    }
    let rest = try #require(rests[0])
    #expect(rest > 10 && rests[1] == rest)
  }

  /// A person names the exercise of an open or ended set, in one run or several.
  @Test(arguments: [1, 3, -2, -1], [true, false])
  func correctedExercisesAreKept(at place: Int, isDivided: Bool) throws {
    let known = [
      Self.message("startWorkout", session: "R"),
      Self.message("startExercise", session: "R", ",\"exerciseId\":\"E\",\"exerciseName\":\"Row\""),
      Self.message("startSet", session: "R", ",\"setId\":\"r\""),
      Self.message("endWorkout", session: "R"),
    ]
    let set = try Self.set("x", end: ",\"reps\":9")
    // The last chunk arrives after the end of the workout.
    let late = set[set.count - 2]
    var messages = [Self.start(nil)] + set.dropLast(2) + [set[set.count - 1]]
    messages += [Self.message("endWorkout")]
    let index = (place < 0 ? messages.count + 1 + place : place + 1)
    for (members, exercise) in [
      (",\"exerciseName\":\"Curl\"", "Curl"), (",\"exerciseName\":\"Row\"", "Row E"),
      (",\"exerciseId\":\"E\"", "Row E"),
      (",\"exerciseId\":\"F\",\"exerciseName\":\"Fly\"", "Fly F"),
      (",\"exerciseName\":\"\(String(repeating: "x", count: 101))\"", ""),
    ] {
      var all = messages
      all.insert(Self.message("correctSet", ",\"setId\":\"x\"\(members)"), at: index)
      let trial = try StreamTrial(
        known + all + [late], cutAt: isDivided ? [known.count + index + 1] : [],
        seed: 3)
      let row = try #require(try trial.store.set("S/x"))
      let name = row.exerciseName ?? ""
      if exercise.contains(" ") {
        #expect("\(name) \(row.exerciseId ?? "")" == exercise, "\(members)")
      } else {
        #expect(name == exercise, "\(members)")
      }
      #expect(row.correctedReps == 9, "the count stays")
      #expect(try trial.store.verify().isIntact)
    }
  }

  /// The history may already have the set, and the input may be cut anywhere.
  @Test(arguments: [true, false], [true, false])
  func correctionsOfOpenSetsAreKept(isStarted: Bool, isClean: Bool) throws {
    let set = try Self.set("x")
    for place in [1, set.count / 2, set.count - 1] {
      let correction = Self.message(
        "correctSet", ",\"setId\":\"x\",\"reps\":5,\"exerciseName\":\"Squat\"")
      let messages =
        (isStarted ? [Self.start(nil)] : []) + set[..<place] + [correction] + set[place...]
        + [Self.message("endWorkout")]
      for cut in [place - 1, place, place + 1, place + 2] where 0 < cut && cut < messages.count {
        let trial = try StreamTrial(messages, cutAt: [cut], isClean: isClean, seed: 4)
        #expect(try trial.store.sets().map(\.correctedReps) == [5], "at \(place), cut at \(cut)")
        #expect(try trial.store.sets().map(\.exerciseName) == ["Squat"])
        #expect(!trial.events.contains { $0.name == "warning" })
      }
    }
  }

  @Test(arguments: [
    ",\"reps\":-5", ",\"reps\":5,\"exerciseName\":\"\(String(repeating: "x", count: 101))\"",
  ])
  func rejectedCorrectionsChangeNothing(members: String) throws {
    let set = try Self.set("x")
    let corrections = [",\"reps\":4", members].map {
      Self.message("correctSet", ",\"setId\":\"x\"\($0)")
    }
    let trial = try StreamTrial(set[..<3] + corrections + set[3...], seed: 8)
    #expect(try trial.store.sets().map(\.correctedReps) == [4])
  }

  /// A chunk without a set id is repeated while another set is open.
  @Test(arguments: [true, false]) func repeatedChunksStayInTheirSet(isClean: Bool) throws {
    let first = try Self.set("1", chunksNameIt: false)
    let second = try Self.set("2", seed: 6, chunksNameIt: false)
    let again = first.dropFirst().dropLast().suffix(3)
    let reference = try StreamTrial(first + second, seed: 5)
    for cut in [first.count, first.count + 1, first.count + 3] {
      let trial = try StreamTrial(
        first + second.prefix(1) + again + second.dropFirst(), cutAt: [cut], isClean: isClean,
        seed: 5)
      #expect(try trial.contents() == reference.contents(), "cut at \(cut)")
    }
  }

  @Test func cutsDoNotSplitASetWithoutId() throws {
    let recording = try StreamMessages.recording(seed: 5, reps: 6)
    let chunks = try StreamMessages.frames(
      recording, size: 100, identity: SetIdentity(sessionId: "S"))
    let messages =
      [Self.start(nil), Self.message("startSet")] + chunks
      + [Self.message("endSet"), Self.message("endWorkout")]
    for cut in [3, messages.count / 2, messages.count - 2] {
      let trial = try StreamTrial(messages, cutAt: [cut], seed: 6)
      #expect(try trial.store.sets().count == 1, "cut at \(cut)")
      #expect(try trial.store.verify().isIntact)
    }
  }

  /// After a clean end within a declared set, the count continues from the announced one.
  @Test func resumingAfterACleanEndKeepsTheCount() throws {
    let messages = try Self.set("x")
    for cut in 2..<messages.count - 1 {
      let trial = try StreamTrial(messages, cutAt: [cut], seed: 7)
      var count = 0
      for event in trial.events {
        switch event.kind {
        case .rep(let next, _):
          #expect(next == count + 1, "cut at \(cut)")
          count = next
        case .repCorrected(let next): count = next
        case .setEnded(let set), .setRevised(let set, _): count = set.reps.count
        default: break
        }
      }
      #expect(count == 6, "cut at \(cut)")
    }
  }

  /// A person names the exercise of an open set, or after the workout; then the whole stream is repeated.
  @Test(arguments: [true, false], [",\"exerciseId\":\"E\"", ""])
  func correctedExercisesSurviveAReplay(isUnderWay: Bool, source: String) throws {
    let begin =
      try [Self.start(nil), Self.message("startExercise", source)] + Self.set("x", start: source)
    let correction = Self.message("correctSet", ",\"setId\":\"x\",\"exerciseName\":\"Squat\"")
    let end = [Self.message("endWorkout")]
    var random = RandomSource(seed: 3)
    let trial = try StreamTrial()
    if isUnderWay {
      try trial.run(begin + [correction], random: &random)
      try trial.run(begin + end, random: &random)
    } else {
      try trial.run(begin + end, random: &random)
      try trial.store.setExercise("Squat", ofSet: try #require(try trial.store.set("S/x")).id)
    }
    for _ in 0..<2 {
      #expect(try trial.store.sets().map(\.exerciseName) == ["Squat"])
      try trial.run(begin + end, random: &random)
    }
    #expect(try trial.store.sets().map(\.exerciseName) == ["Squat"])
    #expect(!trial.events.contains { ["warning", "error"].contains($0.name) })
    #expect(try trial.store.verify().isIntact)
  }

  /// With a count and an exercise, a correction sets both; with neither, it withdraws the count.
  @Test func correctionsSetCountAndExercise() throws {
    var random = RandomSource(seed: 3)
    let trial = try StreamTrial()
    let set = try Self.set("x", end: ",\"reps\":9")
    let both = ",\"setId\":\"x\",\"reps\":8,\"exerciseName\":\"Curl\""
    try trial.run(set + [Self.message("correctSet", both)], random: &random)
    var row = try #require(try trial.store.set("x"))
    #expect(row.correctedReps == 8 && row.exerciseName == "Curl")
    try trial.run([Self.message("correctSet", ",\"setId\":\"x\"")], random: &random)
    row = try #require(try trial.store.set("x"))
    #expect(row.correctedReps == nil && row.exerciseName == "Curl")
  }
}
