import Foundation
import Motion
import Testing

@testable import RepDetection

@Suite struct SetConfidenceTests {
  private static func evidence(_ change: (inout SetEvidence) -> Void = { _ in }) -> SetEvidence {
    var evidence = SetEvidence(
      periodSeconds: 2.5, meanSimilarity: 0.9, leastSimilarity: 0.8, agreement: 1,
      boundaryMotion: 0.4, rows: 1, rotationMeasured: 1)
    evidence.margin = 0.1
    change(&evidence)
    return evidence
  }

  private static func confidence(
    _ cause: SetCause = .detected, _ change: (inout SetEvidence) -> Void = { _ in }
  ) -> Double {
    SetConfidence.probabilityOfExactCount(evidence(change), cause: cause)
  }

  @Test func everyFigureSpeaksAsItsMeaningSays() {
    let usual = Self.confidence()
    #expect(usual > 0.5 && usual < 0.99)
    #expect(Self.confidence(.declared) > usual)
    #expect(Self.confidence { $0.meanSimilarity = 0.95 } > usual)
    #expect(Self.confidence { $0.periodSeconds = 1.2 } < usual)
    #expect(Self.confidence { $0.margin = 0.02 } < usual)
    #expect(Self.confidence { $0.filledReps = 1 } < usual)
    #expect(Self.confidence { $0.isAlternating = true } < usual)
    #expect(Self.confidence { $0.rotationMeasured = 0 } < usual)
  }

  /// What lies outside of what was seen says no more than its limit.
  @Test func extremesSayNoMoreThanTheirLimits() {
    #expect(Self.confidence { $0.periodSeconds = 60 } == Self.confidence { $0.periodSeconds = 4 })
    #expect(Self.confidence { $0.periodSeconds = 0 } == Self.confidence { $0.periodSeconds = 0.6 })
    #expect(Self.confidence { $0.margin = 1 } == Self.confidence { $0.margin = 0.25 })
    #expect(Self.confidence { $0.margin = -1 } == Self.confidence { $0.margin = -0.1 })
    #expect(Self.confidence { $0.meanSimilarity = 1.5 } < 1)
  }

  /// The coefficients are those of docs/calibration/evidence.csv: on the counts of the real evaluations
  /// that they were fitted to, confidence and truth agree.
  @Test func isCalibratedOnItsOwnEvidence() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/calibration/evidence.csv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let names = try #require(lines.first)
    var labels: [[String]: (confidence: Double, isExact: Bool)] = [:]
    for line in lines.dropFirst() {
      let row = Dictionary(uniqueKeysWithValues: zip(names, line))
      func text(_ name: String) throws -> String { try #require(row[name]) }
      func number(_ name: String) throws -> Double { try #require(Double(text(name))) }
      let variant = try text("variant")
      let isJudged =
        try variant == "plain"
        || variant == "20hz" && text("source") == "watch-gym" && text("mode") == "found"
      guard isJudged, try number("counted") > 0 else { continue }
      var evidence = try SetEvidence(
        periodSeconds: number("period"), meanSimilarity: number("mean"), leastSimilarity: 0,
        agreement: 0, boundaryMotion: 0, rows: 1, rotationMeasured: number("rotation")
      )
      evidence.margin = try number("margin")
      evidence.filledReps = try number("filled") > 0 ? 1 : 0
      evidence.isAlternating = try number("alternating") > 0
      let confidence = SetConfidence.probabilityOfExactCount(
        evidence, cause: try number("declared") > 0 ? .declared : .detected)
      // A file in which several sets were counted is right with the product.
      let key = try [text("source"), variant, text("mode"), text("recording")]
      labels[key] = try (
        (labels[key]?.confidence ?? 1) * confidence, number("reps") == number("total")
      )
    }
    let sorted = labels.values.sorted { $0.confidence < $1.confidence }
    #expect(sorted.count > 250)
    func means(_ part: ArraySlice<(confidence: Double, isExact: Bool)>) -> (Double, Double) {
      let n = Double(max(part.count, 1))
      return (
        part.reduce(0) { $0 + $1.confidence } / n, Double(part.count { $0.isExact }) / n
      )
    }
    let (mean, rate) = means(sorted[...])
    #expect(abs(mean - rate) < 0.03)
    let brier =
      sorted.reduce(0) {
        let miss = $1.confidence - ($1.isExact ? 1 : 0)
        return $0 + miss * miss
      } / Double(sorted.count)
    // A constant has rate × (1 − rate).
    #expect(brier < 0.88 * rate * (1 - rate))
    for bin in 0..<5 {
      let (mean, rate) = means(
        sorted[(sorted.count * bin / 5)..<(sorted.count * (bin + 1) / 5)])
      #expect(abs(mean - rate) < 0.08)
    }
  }
}
