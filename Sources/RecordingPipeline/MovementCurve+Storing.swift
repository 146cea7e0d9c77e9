import MovementAnalysis
import RepDetection
import TextFormats
import TimelineFormat

extension MovementCurve {
  /// The curve as JSON for the recording app's charts: an array of `timestamp` (seconds since the start of
  /// the set), `movement`, and `repIndex` where a rep completes.
  public var json: String {
    JSONObjectText.array(
      points.map { point in
        JSONObjectText([
          "timestamp": .number(point.time, decimals: 3),
          "movement": .number(point.movement, decimals: 4), "repIndex": .number(point.completedRep),
        ]).text
      })
  }

  /// The curve as stored in a timeline. To save space, movement is quantized to 1/512, which is finer than
  /// screens and the measurement resolve.
  public var storedPoints: [MovementPoint] {
    points.map {
      MovementPoint(
        time: $0.time, movement: ($0.movement * 512).rounded() / 512,
        completedRep: $0.completedRep)
    }
  }

  /// Creates a curve from the points of a timeline.
  package init(stored points: [MovementPoint], source: Source = .attitude) {
    let steps = zip(points, points.dropFirst()).map { $1.time - $0.time }.sorted()
    let step = steps.isEmpty ? 0 : steps[steps.count / 2]
    self.init(
      source: source, rateHz: step > 0 ? (1 / step).rounded() : 0,
      points: points.map {
        Point(time: $0.time, movement: $0.movement, completedRep: $0.completedRep)
      })
  }
}
