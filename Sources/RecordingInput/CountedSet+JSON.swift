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

extension JSONObjectText {
  /// The line of a set in the results, with the members that its recording alone decides.
  ///
  /// - Parameter set: its times in seconds from the recording's first sample.
  package init(_ set: CountedSet, recording: String, number: Int, identity: SetIdentity) {
    self.init()
    add("recording", recording)
    add("set", number)
    if let id = identity.setId { add("setId", id) }
    if let id = identity.exerciseId { add("exerciseId", id) }
    if let id = identity.sessionId { add("sessionId", id) }
    add("cause", set.cause.rawValue)
    add("start", set.start, decimals: 3)
    add("end", set.end, decimals: 3)
    add("reps", set.reps.count)
    add("confidence", set.confidence, decimals: 4)
    add("repEvents", json: set.reps.json(decimals: 3))
    if !set.partialReps.isEmpty { add("partialReps", json: set.partialReps.json(decimals: 3)) }
  }
}

extension CountedSet {
  /// The set with times that count from an origin on its clock.
  package func relative(to origin: Double) -> CountedSet {
    var set = self
    func shift(_ reps: inout [CountedRep]) {
      for index in reps.indices {
        reps[index].start -= origin
        reps[index].end -= origin
      }
    }
    set.start -= origin
    set.end -= origin
    shift(&set.reps)
    shift(&set.partialReps)
    return set
  }
}
