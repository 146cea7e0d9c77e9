import MovementAnalysis
import RepDetection
import TextFormats
import TimelineFormat

extension MovementCurve {
  /// The curve as the recording app's charts read it: an array of `timestamp` (seconds since the
  /// set began), `movement`, and `repIndex` where a rep completes.
  public var json: String {
    let objects = points.map { point in
      var object = JSONObjectText()
      object.add("timestamp", point.time, decimals: 3)
      object.add("movement", point.movement, decimals: 4)
      if let rep = point.completedRep { object.add("repIndex", rep) }
      return object.text
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  /// The curve as a timeline stores it: movement in steps of 1/512, which is finer than any screen
  /// and the measurement, and takes little space.
  public var storedPoints: [MovementPoint] {
    points.map {
      MovementPoint(
        time: $0.time, movement: ($0.movement * 512).rounded() / 512,
        completedRep: $0.completedRep)
    }
  }

  /// What a timeline stored.
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
