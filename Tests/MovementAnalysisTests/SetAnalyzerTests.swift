import Motion
import MotionSynthesis
import Testing

@testable import MovementAnalysis
@testable import RepDetection

/// Compares the analysis with movements whose parameters are known.
@Suite struct SetAnalyzerTests {
  @Test(arguments: [
    HingeRecording.Sensors.attitude, .gravity, .acceleration, .gyroscopeOnly,
  ])
  func hingeFiguresMatchTheTruth(_ sensors: HingeRecording.Sensors) throws {
    for (concentric, eccentric, pause, rest) in [
      (1.2, 1.8, 0.6, 0.5), (0.6, 0.8, 0, 0), (1.0, 1.5, 0, 0.7), (2.0, 2.5, 1, 0),
    ] {
      let hinge = HingeRecording.made {
        $0.sensors = sensors
        $0.concentric = concentric
        $0.eccentric = eccentric
        $0.farPause = pause
        $0.rest = rest
      }
      let analysis = SetAnalyzer.analyze(hinge.set, samples: hinge.samples)
      #expect(analysis.reps.count == hinge.truth.count)
      for (rep, truth) in zip(analysis.reps, hinge.truth) {
        #expect(abs(try #require(rep.rangeOfMotion) - truth.range) < 5)
        #expect(abs(try #require(rep.concentricTime) - truth.concentric) < 0.1)
        #expect(abs(try #require(rep.eccentricTime) - truth.eccentric) < 0.1)
        #expect(abs(try #require(rep.farPause) - pause) < 0.1)
      }
      for rep in analysis.reps.dropLast() {
        #expect(abs(try #require(rep.pauseAfter) - rest) < 0.1)
      }
      #expect(analysis.reps.last?.pauseAfter == nil)
      let fatigue = try #require(analysis.fatigue)
      #expect(abs(try #require(fatigue.velocityLoss) - 20) < 5)
      #expect(abs(try #require(fatigue.rangeLoss) - 10) < 5)
      let curve = try #require(analysis.curve)
      let truth = curve.points.map { hinge.angle(hinge.set.start + $0.time) }
      #expect(correlation(curve.points.map(\.movement), truth) > 0.95)
    }
  }

  @Test func eccentricFirstReversesCurveAndPhases() throws {
    let hinge = HingeRecording.made()
    let configuration = AnalysisConfiguration(phaseOrder: .eccentricFirst)
    let forwards = SetAnalyzer.analyze(hinge.set, samples: hinge.samples)
    let backwards = SetAnalyzer.analyze(
      hinge.set, samples: hinge.samples, configuration: configuration)
    #expect(forwards.reps[0].concentricTime == backwards.reps[0].eccentricTime)
    let a = try #require(forwards.curve).points.map(\.movement)
    let b = try #require(backwards.curve).points.map(\.movement)
    #expect(a == b.map { -$0 })
  }

  @Test func curveHasAFixedRateAndCountsItsReps() throws {
    let hinge = HingeRecording.made()
    let curve = try #require(SetAnalyzer.analyze(hinge.set, samples: hinge.samples).curve)
    #expect(curve.points.compactMap(\.completedRep) == Array(1...hinge.reps))
    for (a, b) in zip(curve.points, curve.points.dropFirst()) {
      #expect(abs(b.time - a.time - 1 / curve.rateHz) < 1e-9)
    }
    #expect(curve.points.allSatisfy { (-1...1).contains($0.movement) })
    for (point, rep) in zip(curve.points.filter { $0.completedRep != nil }, hinge.set.reps) {
      #expect(abs(point.time - (rep.end - hinge.set.start)) <= 1 / curve.rateHz + 1e-9)
    }
  }

  @Test func withoutAGyroscopeRangeIsRelative() throws {
    let hinge = HingeRecording.made { $0.sensors = .accelerationOnly }
    let analysis = SetAnalyzer.analyze(hinge.set, samples: hinge.samples)
    #expect(analysis.curve?.source == .tilt)
    #expect(analysis.reps.allSatisfy { $0.rangeOfMotion == nil && $0.peakRotationRate == nil })
    let last = try #require(analysis.reps.last?.relativeRange)
    // Speeds are unknown.
    #expect(analysis.fatigue?.velocityLoss == nil)
    #expect(analysis.fatigue?.rangeLoss == (1 - last) * 100)
  }

  @Test(arguments: [HingeRecording.Sensors.attitude, .gravity, .gyroscopeOnly])
  func repWithAGapHasNoFigures(_ sensors: HingeRecording.Sensors) throws {
    let hinge = HingeRecording.made {
      $0.gap = 7.5...8.5
      $0.sensors = sensors
    }
    let analysis = SetAnalyzer.analyze(hinge.set, samples: hinge.samples)
    let hit = try #require(
      hinge.set.reps.firstIndex { $0.start < 8.5 && $0.end > 7.5 })
    #expect(analysis.reps[hit].rangeOfMotion == nil)
    #expect(analysis.reps[hit].concentricTime == nil)
    #expect(analysis.reps[hit].similarity == nil)
    let curve = try #require(analysis.curve)
    #expect(!curve.points.contains { (7.6...8.4).contains($0.time + hinge.set.start) })
    #expect(abs(try #require(analysis.reps.last?.rangeOfMotion) - 108) < 5)
    let truth = curve.points.map { hinge.angle(hinge.set.start + $0.time) }
    #expect(correlation(curve.points.map(\.movement), truth) > 0.95)
  }

  /// The rest of a long recording does not affect the analysis.
  @Test func onlySamplesAroundTheSetAreUsed() {
    let hinge = HingeRecording.made()
    var long = hinge.samples
    for start in [1000.0, 2000] {
      var later = hinge.samples
      later[.time] = hinge.samples.times.map { $0 + start }
      long.append(later)
    }
    let alone = SetAnalyzer.analyze(hinge.set, samples: hinge.samples)
    #expect(SetAnalyzer.analyze(hinge.set, samples: long) == alone)
  }

  /// A rep cut by a gap is short, which is not fatigue in the others.
  @Test(arguments: [0, 3])
  func repsCutByGapsDoNotAffectFatigue(index: Int) throws {
    let even = HingeRecording.made {
      $0.velocityLoss = 0
      $0.reps = 4
    }
    let whole = SetAnalyzer.analyze(even.set, samples: even.samples)
    #expect(try #require(whole.fatigue?.slowdown) < 1)
    let rep = even.truth[index]
    let middle = (rep.start + rep.end) / 2
    let gap = index == 0 ? (rep.start - 0.5)...middle : middle...(rep.end + 0.5)
    let cut = HingeRecording.made {
      $0.velocityLoss = 0
      $0.reps = 4
      $0.gap = gap
    }
    var set = cut.set
    if index == 0 { set.reps[0].start = middle } else { set.reps[3].end = middle }
    let fatigue = SetAnalyzer.analyze(set, samples: cut.samples).fatigue
    // Three reps are too few for a line.
    #expect(fatigue?.slowdown == nil)
    #expect(fatigue?.rotationLoss == nil)
  }

  /// Fatigue is computed from the first to the last fully measured rep only.
  @Test func fatigueUsesMeasuredReps() throws {
    let hinge = HingeRecording.made { $0.velocityLoss = 0.4 }
    let gap = (hinge.truth[0].start - 0.5)...((hinge.truth[2].start + hinge.truth[2].end) / 2)
    let cut = HingeRecording.made {
      $0.velocityLoss = 0.4
      $0.gap = gap
    }
    func slowdown(_ hinge: HingeRecording) throws -> Double {
      try #require(SetAnalyzer.analyze(hinge.set, samples: hinge.samples).fatigue?.slowdown)
    }
    #expect(try slowdown(cut) < slowdown(hinge))
  }

  /// Longer reps with less rotation show fatigue, from times and gyroscope alone.
  @Test func durationsAndTurnsGiveFatigue() throws {
    let hinge = HingeRecording.made { $0.velocityLoss = 0.4 }
    let fatigue = try #require(SetAnalyzer.analyze(hinge.set, samples: hinge.samples).fatigue)
    let slowdown = try #require(fatigue.slowdown)
    #expect(slowdown > 5)
    let even = HingeRecording.made { $0.velocityLoss = 0 }
    let rested = SetAnalyzer.analyze(even.set, samples: even.samples)
    #expect(try #require(rested.fatigue?.slowdown) < slowdown)
    for (rep, truth) in zip(rested.reps, even.truth) {
      let range = try #require(rep.rotationRange)
      #expect(abs(range - truth.range) < 6)
    }
    #expect(rested.reps.dropLast().allSatisfy { ($0.restAfter ?? -1) >= 0 })
  }

  /// A damaged history may contain such a set.
  @Test func curveLengthIsBoundedForDamagedSets() throws {
    let hinge = HingeRecording.made()
    var far = hinge.set
    far.end = 1e12
    let curve = try #require(SetAnalyzer.movementCurve(of: far, samples: hinge.samples))
    #expect(curve.points.count <= 4 * 3600 * 25 + 1)
  }

  /// A damaged history may contain such a set; all pairs of its reps would take 40 GB.
  @Test func setsOfManyRepsTakeLittleMemory() throws {
    let reps = (0..<100_000).map { number in
      let start = 3 * Double(number)
      return CountedRep(start: start, end: start + 1 + 1e-5 * Double(number), confidence: 1)
    }
    let set = CountedSet(cause: .declared, start: 0, end: 3e5, reps: reps, confidence: 1)
    let fatigue = SetAnalyzer.analyze(set, samples: MotionBatch()).fatigue
    #expect(abs(try #require(fatigue?.slowdown) - 99.999) < 1e-3)
  }

  @Test func undeterminedFiguresAreAbsent() {
    let empty = CountedSet(cause: .declared, start: 0, end: 1, reps: [], confidence: 0)
    let hinge = HingeRecording.made()
    #expect(SetAnalyzer.analyze(empty, samples: hinge.samples).curve == nil)
    #expect(SetAnalyzer.analyze(hinge.set, samples: MotionBatch()).curve == nil)
    var far = hinge.set
    far.reps = [CountedRep(start: .nan, end: .infinity, confidence: 1)]
    #expect(SetAnalyzer.analyze(far, samples: hinge.samples).fatigue == nil)
    var one = hinge.set
    one.reps = [hinge.set.reps[0]]
    let single = SetAnalyzer.analyze(one, samples: hinge.samples)
    #expect(single.fatigue == nil && single.consistency == nil && single.tempoControl == nil)
    #expect(single.reps[0].rangeOfMotion != nil)
  }
}

func correlation(_ a: [Double], _ b: [Double]) -> Double {
  let n = Double(a.count)
  let meanA = a.reduce(0, +) / n
  let meanB = b.reduce(0, +) / n
  var ab = 0.0
  var aa = 0.0
  var bb = 0.0
  for (x, y) in zip(a, b) {
    ab += (x - meanA) * (y - meanB)
    aa += (x - meanA) * (x - meanA)
    bb += (y - meanB) * (y - meanB)
  }
  return ab / (aa * bb).squareRoot()
}

@Suite struct SharedTurnTests {
  private func phase(_ out: ClosedRange<Double>, _ back: ClosedRange<Double>) -> MovementPhases {
    MovementPhases(out: out, back: back, startPosition: 0, farPosition: 1, endPosition: 0)
  }

  @Test func adjacentPhasesShareOneTurnaround() {
    var phases: [MovementPhases?] = [phase(0...1, 1.05...2), phase(2.1...3, 3.5...4)]
    MovementPhases.mergeTurnarounds(&phases)
    #expect(phases[0]?.out.upperBound == 1.025)
    #expect(phases[0]?.back == 1.025...2.05)
    #expect(phases[1]?.out.lowerBound == 2.05)
    #expect(phases[1]?.out.upperBound == 3)
  }

  /// The first rep's way back begins after the second's way out has ended.
  @Test func phasesInTheWrongOrderAreUnknown() {
    var phases: [MovementPhases?] = [
      phase(0...1, 1.5...2), phase(6...7, 7.5...9), phase(3...4, 8...8.5), phase(10...11, 12...13),
    ]
    MovementPhases.mergeTurnarounds(&phases)
    #expect(phases.map { $0 != nil } == [true, false, false, true])
  }
}
