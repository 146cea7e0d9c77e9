import Motion
import MotionSynthesis
import TestSupport
import Testing

@testable import RepDetection

/// Rejections that the detector reports for movements that it does not count.
@Suite struct DiagnosisTests {
  /// A signal without reps.
  private let still = SyntheticMotion.curls(reps: 0, restSeconds: 20).samples

  @Test func quietWindowIsReportedWithItsThreshold() throws {
    let rejections = RepDetector.diagnose(still).rejections
    #expect(rejections.map(\.reason.name) == ["quiet"])
    let only = try #require(rejections.last)
    #expect(only.subject == .window)
    let figures = try #require(only.reason.figures)
    #expect(figures.value < figures.needed)
    #expect(figures.needed == Double(DetectorConfiguration().search.amplitudes.leastFraction))
    // From the first search to the last.
    #expect(only.start < 6)
    #expect(only.end > 36)
    #expect(only.description.contains("quiet"))
  }

  @Test func rejectedWindowsDoNotOverlapSets() throws {
    let curls = SyntheticMotion.curls(reps: 6, restSeconds: 30)
    let diagnosis = RepDetector.diagnose(curls.samples)
    let set = try #require(diagnosis.sets.first)
    #expect(diagnosis.sets.count == 1)
    let windows = diagnosis.rejections.filter { $0.subject == .window }
    #expect(windows.contains { $0.end <= set.start })
    #expect(windows.contains { $0.start >= set.end })
    #expect(windows.allSatisfy { $0.end <= set.start + 1e-9 || $0.start >= set.end - 1e-9 })
  }

  @Test func declaredSetWithoutARepHasAReason() throws {
    let diagnosis = RepDetector.diagnoseSet(in: still)
    #expect(diagnosis.sets == [RepDetector.countSet(in: still)])
    #expect(diagnosis.sets.first?.reps.isEmpty == true)
    let only = try #require(diagnosis.rejections.first)
    #expect(only.subject == .declaredSet)
    #expect(["motionless", "noReading"].contains(only.reason.name))
    let curls = SyntheticMotion.curls(reps: 5).samples
    #expect(RepDetector.diagnoseSet(in: curls).rejections.isEmpty)
    #expect(RepDetector.diagnoseSet(in: curls).sets == [RepDetector.countSet(in: curls)])
  }

  /// A curl of half the range among whole ones.
  @Test(arguments: [false, true])
  func partialRepHasTheDetectorsReason(isDeclared: Bool) throws {
    var swings = Array(repeating: SyntheticMotion.Swing(), count: 8)
    swings[7].range = 0.8
    let samples = SyntheticMotion.swings(swings).samples
    let diagnosis =
      isDeclared ? RepDetector.diagnoseSet(in: samples) : RepDetector.diagnose(samples)
    let set = try #require(diagnosis.sets.first)
    let partial = try #require(diagnosis.rejections.first { $0.subject == .partial })
    #expect(set.partialReps.map(\.start) == [partial.start])
    let figures = try #require(partial.reason.figures)
    #expect(figures.value < figures.needed)
    #expect(figures.needed == Double(DetectorConfiguration().leastExtent))
  }

  /// Uncounted movements have a probability of being reps below one half.
  @Test func movementsBesideASetHaveTheDetectorsReason() throws {
    var movements = 0
    for options in SyntheticCorpus(seed: 21, count: 12) {
      let samples = try RecordingSynthesizer(options).make().recording.samples
      let diagnosis = RepDetector.diagnose(samples)
      for rejection in diagnosis.rejections where rejection.subject == .movement {
        guard case .lessProbable(let probability) = rejection.reason else {
          Issue.record("\(rejection)")
          continue
        }
        movements += 1
        #expect(probability < 0.6)
        #expect(
          diagnosis.sets.contains {
            $0.start < rejection.end + 30 && rejection.start < $0.end + 30
          })
      }
    }
    #expect(movements > 0)
  }

  @Test func windowsRejectedByTheSameTestAreMerged() {
    var log = RejectionLog()
    func look(_ start: Double, _ reason: CandidateRejection.Reason) -> CandidateRejection {
      CandidateRejection(
        subject: .window, reason: reason, start: start, end: start + 2, periodSeconds: 0)
    }
    log.note([
      look(0, .quiet(share: 0.02, needed: 0.1)),
      look(0, .nothingAlike(similarity: 0.1, needed: 0.4)),
    ])
    log.note([look(2, .nothingAlike(similarity: 0.3, needed: 0.4))])
    log.note([look(4, .quiet(share: 0.02, needed: 0.1))])
    let found = log.unexplained(by: [])
    #expect(found.map(\.reason.name) == ["nothingAlike", "quiet"])
    #expect(found.first?.end == 4)
    // The closest miss.
    #expect(found.first?.reason.figures?.value == 0.3)
    let set = CountedSet(cause: .detected, start: 1, end: 5, reps: [], confidence: 1)
    #expect(log.unexplained(by: [set]).map { [$0.start, $0.end] } == [[0, 1], [5, 6]])
  }
}
