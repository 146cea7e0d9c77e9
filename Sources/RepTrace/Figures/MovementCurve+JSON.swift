import RepDetection
import TimelineStore

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

  /// The curve as a timeline stores it.
  public var storedPoints: [MovementPoint] {
    points.map {
      MovementPoint(time: $0.time, movement: $0.movement, completedRep: $0.completedRep)
    }
  }
}
