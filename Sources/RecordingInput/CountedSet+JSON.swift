import Motion
import TextFormats

extension [CountedRep] {
  /// Returns the reps as a JSON array, in order.
  ///
  /// - Parameters:
  ///   - decimals: Number of decimals of the times.
  ///   - origin: Zero of the times, in seconds on the reps' clock.
  package func json(decimals: Int, origin: Double = 0) -> String {
    JSONObjectText.array(
      map { rep in
        JSONObjectText([
          "start": .number(rep.start - origin, decimals: decimals),
          "end": .number(rep.end - origin, decimals: decimals),
          "confidence": .number(rep.confidence, decimals: 4),
        ]).text
      })
  }
}

extension JSONObjectText {
  /// Creates the result line of a set, with the members that depend on its recording alone.
  ///
  /// - Parameter set: The set, with times in seconds from the recording's first sample.
  package init(_ set: CountedSet, recording: String, number: Int, identity: SetIdentity) {
    self.init(["recording": .text(recording), "set": .number(number)])
    add(identity)
    add(set, decimals: 3)
  }

  package mutating func add(_ identity: SetIdentity) {
    add([
      "setId": .text(identity.setId), "exerciseId": .text(identity.exerciseId),
      "sessionId": .text(identity.sessionId),
    ])
  }

  /// Adds a set, with times rounded to a number of decimals.
  package mutating func add(_ set: CountedSet, decimals: Int) {
    let partial = set.partialReps.isEmpty ? nil : set.partialReps.json(decimals: decimals)
    add([
      "cause": .text(set.cause.rawValue), "start": .number(set.start, decimals: decimals),
      "end": .number(set.end, decimals: decimals), "reps": .number(set.reps.count),
      "confidence": .number(set.confidence, decimals: 4),
      "repEvents": .json(set.reps.json(decimals: decimals)), "partialReps": .json(partial),
    ])
  }
}

extension CountedSet {
  /// Returns the set with times relative to an origin on its clock.
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
