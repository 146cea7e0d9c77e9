import Motion
import Testing

@testable import MovementAnalysis
@testable import RepDetection

@Suite struct MovementReviewTests {
  @Test func uncountedRepIsExplained() throws {
    let hinge = HingeRecording.made {
      $0.velocityLoss = 0
      $0.rangeLoss = 0
    }
    var set = hinge.set
    let left = set.reps.remove(at: 4)
    let found = MovementReview.uncounted([set], samples: hinge.samples)
    let movement = try #require(found.first { $0.start < left.end && $0.end > left.start })
    #expect(movement.kind == .besideReps)
    #expect(movement.set == 0)
    #expect(!movement.explanation.isEmpty)
  }

  /// The detector's own threshold decides that a movement is too small to be a rep. The way out of a longer
  /// rep, with a pause after it, has a little more than half of a rep's travel.
  @Test func movementIsTooSmallByTheDetectorsThreshold() throws {
    let hinge = HingeRecording.made {
      $0.velocityLoss = 0
      $0.rangeLoss = -0.2
    }
    var set = hinge.set
    let left = set.reps.removeLast()
    let found = MovementReview.uncounted([set], samples: hinge.samples)
    let movement = try #require(found.first { $0.start < left.end && $0.end > left.start })
    guard case .tooSmall(let share) = movement.reason else {
      Issue.record("\(movement.reason)")
      return
    }
    #expect((0.5..<0.6).contains(share))
  }

  @Test func setOfAllMovementLeavesNothingUncounted() {
    let hinge = HingeRecording.made()
    #expect(MovementReview.uncounted([hinge.set], samples: hinge.samples).isEmpty)
  }

  /// The samples of one set of a history: what was a partial rep before them is not among them.
  @Test func partialRepOutsideTheSamplesIsOmitted() {
    let hinge = HingeRecording.made()
    let first = hinge.samples.times[0]
    var set = hinge.set
    set.partialReps = [CountedRep(start: first - 7, end: first - 4, confidence: 0.5)]
    #expect(MovementReview.uncounted([set], samples: hinge.samples).isEmpty)
  }

  @Test func withoutSetsMovementsAreOutside() {
    let hinge = HingeRecording.made()
    let found = MovementReview.uncounted([], samples: hinge.samples)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.kind == .elsewhere && $0.reason == .noRun })
    #expect(MovementReview.uncounted([], samples: MotionBatch()).isEmpty)
  }
}
