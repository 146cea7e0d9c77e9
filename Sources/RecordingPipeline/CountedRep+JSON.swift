import Motion
import TextFormats

extension [CountedRep] {
  /// The reps as a JSON array, in order.
  ///
  /// - Parameters:
  ///   - decimals: of the times.
  ///   - origin: what the times count from, in seconds on the reps' clock.
  package func json(decimals: Int, origin: Double = 0) -> String {
    let objects = map { rep in
      var object = JSONObjectText()
      object.add("start", rep.start - origin, decimals: decimals)
      object.add("end", rep.end - origin, decimals: decimals)
      object.add("confidence", rep.confidence, decimals: 4)
      return object.text
    }
    return "[" + objects.joined(separator: ",") + "]"
  }
}
