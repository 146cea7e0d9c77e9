import RepTrace
import Testing

@testable import RepTraceCommand

@Suite struct SparklineTests {
  private func curve(_ seconds: Double, reps: [Double]) -> MovementCurve {
    var points = (0...Int(seconds * 25)).map {
      MovementCurve.Point(time: Double($0) / 25, movement: Double($0 % 50) / 25 - 1)
    }
    for (index, end) in reps.enumerated() { points[Int(end * 25)].completedRep = index + 1 }
    return MovementCurve(source: .attitude, rateHz: 25, points: points)
  }

  @Test func fitsTheWidthAndNumbersTheReps() {
    let lines = Sparkline.lines(curve(60, reps: [10, 30, 50]), width: 40)
    #expect(lines.movement.count == 40)
    #expect(lines.reps.count <= 40)
    #expect(lines.reps.split(separator: " ") == ["1", "2", "3"])
  }

  @Test func crowdedRepsBecomeTicks() {
    let lines = Sparkline.lines(curve(60, reps: (1...59).map(Double.init)), width: 40)
    #expect(lines.reps.count <= 40)
    #expect(lines.reps.contains("'"))
  }

  @Test func emptyCurvesDrawNothing() {
    #expect(Sparkline.lines(curve(0, reps: []), width: 40).movement.isEmpty)
    let empty = MovementCurve(source: .tilt, rateHz: 25, points: [])
    #expect(Sparkline.lines(empty, width: 40).movement.isEmpty)
  }
}
