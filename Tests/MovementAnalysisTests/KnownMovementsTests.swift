import Motion
import MovementAnalysis
import RepDetection
import TestSupport
import Testing

/// Recognition of exercises by a person's known movements.
struct KnownMovementsTests {
  /// Two exercises: forearm curls, and curls during which the forearm rolls over.
  private static let curl = SyntheticMotion.Swing()
  private static let roll = SyntheticMotion.Swing(range: 0.7, roll: 1.9)

  private static func pattern(
    _ swing: SyntheticMotion.Swing, seed: UInt64
  ) throws -> MovementPattern {
    let samples = SyntheticMotion.swings(Array(repeating: swing, count: 8), seed: seed).samples
    return try #require(
      KnownMovements.pattern(of: RepDetector.countSet(in: samples), in: samples))
  }

  private static func movement(
    _ name: String, _ swing: SyntheticMotion.Swing, unixTime: Double? = nil
  ) throws -> KnownMovement {
    KnownMovement(
      exercise: name, name: name,
      examples: try (1...3).map {
        .init(stamp: $0, unixTime: unixTime, pattern: try pattern(swing, seed: $0))
      })
  }

  @Test func candidateIsTheMostSimilarMovement() throws {
    let known = KnownMovements(
      [try Self.movement("curl", Self.curl), try Self.movement("roll", Self.roll)])
    for (name, swing) in [("curl", Self.curl), ("roll", Self.roll)] {
      let candidate = try #require(known.candidate(for: try Self.pattern(swing, seed: 9)))
      #expect(candidate.name == name)
      #expect(candidate.isKnown)
      #expect(candidate.probability > 0.9)
    }
  }

  @Test func unknownMovementHasNoCandidate() throws {
    let known = KnownMovements([try Self.movement("curl", Self.curl)])
    let candidate = try #require(known.candidate(for: try Self.pattern(Self.roll, seed: 9)))
    #expect(!candidate.isKnown)
    #expect(candidate.noneProbability > 0.5)
    #expect(abs(candidate.probability + candidate.noneProbability - 1) < 1e-9)
  }

  /// The samples being counted are no evidence for themselves.
  @Test func patternsAreTheNewestOutsideTheSpan() throws {
    var curl = try Self.movement("curl", Self.curl)
    for index in curl.examples.indices { curl.examples[index].unixTime = 1_000 - Double(index) }
    let roll = try Self.movement("roll", Self.roll)
    let known = KnownMovements([curl, roll])
    #expect(known.patterns() == [curl.examples[0].pattern, roll.examples[0].pattern])
    #expect(
      known.patterns(exceptFrom: 999.5...1_000)
        == [curl.examples[1].pattern, roll.examples[0].pattern])
    #expect(known.patterns(exceptFrom: 0...2_000) == [roll.examples[0].pattern])
  }

  @Test func candidateDoesNotDependOnWhereRepsBegin() throws {
    let known = KnownMovements([try Self.movement("curl", Self.curl)])
    let pattern = try Self.pattern(Self.curl, seed: 9)
    let half = MovementPattern.phaseCount / 2
    let shifted = try #require(
      MovementPattern(
        phases: Array(pattern.phases[half...] + pattern.phases[..<half]),
        durationSeconds: pattern.durationSeconds, similarity: pattern.similarity,
        repCount: pattern.repCount))
    let (one, other) = (known.candidate(for: pattern), known.candidate(for: shifted))
    #expect(abs((one?.probability ?? 0) - (other?.probability ?? 1)) < 0.1)
  }

  /// A rep includes the pause after it, wherever it begins. Half of this one is rest.
  @Test func repIncludesItsPause() throws {
    let swing = SyntheticMotion.Swing(seconds: 2, pause: 2)
    let pattern = try Self.pattern(swing, seed: 9)
    let resting = pattern.phases.count { ($0.rotation * $0.rotation).sum() < 0.04 }
    #expect((5...8).contains(resting), "\(resting)")
    #expect(abs(pattern.durationSeconds - 2) < 0.4)
  }

  @Test func recentExerciseIsMoreProbable() throws {
    let day = 86_400.0
    let known = KnownMovements([
      try Self.movement("old", Self.curl, unixTime: 0),
      try Self.movement("new", Self.curl, unixTime: 200 * day),
    ])
    let pattern = try Self.pattern(Self.curl, seed: 9)
    #expect(known.candidate(for: pattern, unixTime: 201 * day)?.name == "new")
    #expect(known.candidate(for: pattern, unixTime: 1 * day)?.name == "old")
  }

  @Test func oldExampleIsStillRecognized() throws {
    let known = KnownMovements([
      try Self.movement("curl", Self.curl, unixTime: 0),
      try Self.movement("roll", Self.roll, unixTime: 0),
    ])
    let pattern = try Self.pattern(Self.curl, seed: 9)
    let soon = try #require(known.candidate(for: pattern, unixTime: 86_400))
    let late = try #require(known.candidate(for: pattern, unixTime: 40_000 * 86_400))
    #expect(soon == late)
    #expect(late.isKnown)
  }

  @Test func undatedExampleCountsAsTheOldest() throws {
    let day = 86_400.0
    let known = KnownMovements([
      try Self.movement("dated", Self.curl, unixTime: 49 * day),
      try Self.movement("roll", Self.roll, unixTime: 0), try Self.movement("undated", Self.curl),
    ])
    #expect(
      known.candidate(for: try Self.pattern(Self.curl, seed: 9), unixTime: 50 * day)?.name
        == "dated")
  }

  @Test func overflowingDistanceMatchesNothing() throws {
    let huge = try #require(
      MovementPattern(
        phases: Array(
          repeating: .init(
            gravity: SIMD3(repeating: 3e38), rotation: SIMD3(repeating: 3e38),
            userAcceleration: .zero), count: MovementPattern.phaseCount),
        durationSeconds: 2, similarity: 0.9, repCount: 8))
    let known = KnownMovements([
      KnownMovement(
        exercise: "huge", name: "huge", examples: [.init(stamp: 1, unixTime: nil, pattern: huge)]),
      try Self.movement("curl", Self.curl),
    ])
    let candidate = try #require(known.candidate(for: try Self.pattern(Self.curl, seed: 9)))
    #expect(candidate.name == "curl" && candidate.isKnown)
    let none = try #require(known.candidate(for: huge))
    #expect(none.noneProbability == 1 && none.probability == 0)
  }

  @Test func undatedRecordingGivesItselfNoHint() throws {
    let curl = try Self.movement("curl", Self.curl)
    let samples = SyntheticMotion.curls(reps: 3).samples
    let known = KnownMovements([curl])
    #expect(known.patterns(for: samples).isEmpty)
    #expect(known.patterns(exceptFrom: 0...1, for: samples) == [curl.examples[0].pattern])
  }

  /// Without a gyroscope there is no rotation curve to compare.
  @Test func accelerometerAloneIdentifiesMovements() throws {
    func still(_ pattern: MovementPattern) throws -> MovementPattern {
      try #require(
        MovementPattern(
          phases: pattern.phases.map {
            .init(gravity: $0.gravity, rotation: .zero, userAcceleration: $0.userAcceleration)
          }, durationSeconds: pattern.durationSeconds, similarity: pattern.similarity,
          repCount: pattern.repCount))
    }
    let example = KnownMovement.Example(
      stamp: 1, unixTime: nil, pattern: try still(Self.pattern(Self.curl, seed: 1)))
    let known = KnownMovements([KnownMovement(exercise: "curl", name: "curl", examples: [example])])
    let candidate = try #require(
      known.candidate(for: still(Self.pattern(Self.curl, seed: 9))))
    #expect(candidate.probability > 0.7)
  }

  @Test func upwardGravityIsReversed() throws {
    let down = SyntheticMotion.curls(reps: 6).samples
    var columns: [MotionChannel: [Double]] = [:]
    for channel in down.channels { columns[channel] = down[channel] }
    let inMeters = AccelerationUnit.standardGravity
    for quantity in [MotionQuantity.gravity, .userAcceleration] {
      for channel in quantity.channels {
        columns[channel] = columns[channel]?.map { -inMeters * $0 }
      }
    }
    let up = MotionBatch(
      columns,
      units: MotionUnits(
        userAcceleration: .metersPerSecondSquared, gravity: .metersPerSecondSquared))
    let set = RepDetector.countSet(in: down)
    let one = try #require(KnownMovements.pattern(of: set, in: down))
    let other = try #require(KnownMovements.pattern(of: set, in: up))
    let known = KnownMovements([
      KnownMovement(
        exercise: "curl", name: "curl", examples: [.init(stamp: 1, unixTime: 0, pattern: one)])
    ])
    let hint = try #require(known.patterns(for: up).first)
    #expect(known.patterns(for: down) == [one])
    for ((a, b), c) in zip(zip(one.phases, other.phases), hint.phases) {
      let difference = a.gravity - b.gravity
      #expect((difference * difference).sum() < 1e-6)
      #expect(c.gravity == -a.gravity)
    }
  }

  @Test func noKnownMovementsGiveNoCandidate() throws {
    let known = KnownMovements([])
    #expect(known.isEmpty)
    #expect(known.candidate(for: try Self.pattern(Self.curl, seed: 1)) == nil)
    let curls = try Self.movement("curl", Self.curl)
    let samples = SyntheticMotion.curls(reps: 5).samples
    var set = RepDetector.countSet(in: samples)
    set.reps.removeLast(set.reps.count - 1)
    #expect(KnownMovements([curls]).candidate(for: set, in: samples) == nil)
  }

  @Test func movementSurvivesEncoding() throws {
    var movement = try Self.movement("Übung", Self.curl, unixTime: 1_763_800_000.5)
    movement.examples[1].unixTime = nil
    let bytes = movement.bytes
    let again = try #require(KnownMovement(exercise: "Übung", bytes: bytes))
    #expect(again.name == movement.name)
    #expect(again.examples.map(\.stamp) == [1, 2, 3])
    #expect(again.examples.map(\.unixTime) == movement.examples.map(\.unixTime))
    #expect(again.bytes == bytes)
    for count in 0..<bytes.count where count != 8 {
      let isWhole = (count - 8).isMultiple(of: 16 + MovementPattern.byteCount)
      #expect(
        (KnownMovement(exercise: "", bytes: Array(bytes[..<count])) != nil)
          == (count >= 8 && isWhole))
    }
  }

  @Test(arguments: [
    (6, [0.0, 1, 2, 3, 4, 5]), (7, [0, 1, 2, 3, 4, 5]), (3, [0, 2, 4]), (5, [0, 1, 2, 3, 4]),
    (12, [0, 0.45, 1, 1.45, 2, 2.45, 3, 3.45, 4, 4.45, 5, 5.45]),
  ])
  func plausibleCorrectionIsExplained(count: Int, starts: [Double]) throws {
    let reps = (0..<6).map {
      CountedRep(start: Double($0), end: Double($0) + 0.9, confidence: $0 == 5 ? 0.4 : 0.9)
    }
    let set = CountedSet(cause: .declared, start: 0, end: 5.9, reps: reps, confidence: 0.6)
    let explained = try #require(set.explained(byCount: count))
    #expect(zip(explained.reps, starts).allSatisfy { abs($0.start - $1) < 1e-9 })
    #expect(explained.reps.count == starts.count)
    #expect(explained.end == explained.reps.last?.end)
  }

  @Test(arguments: [.min, -1, 0, 1, 2, 4, 8, 11, 13, .max]) func otherCorrectionsAreNotExplained(
    count: Int
  ) {
    let reps = (0..<6).map {
      CountedRep(start: Double($0), end: Double($0) + 0.9, confidence: 0.9)
    }
    let set = CountedSet(cause: .declared, start: 0, end: 5.9, reps: reps, confidence: 0.6)
    #expect(set.explained(byCount: count) == nil)
  }
}
