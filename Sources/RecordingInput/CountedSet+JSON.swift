import Motion
import TextFormats

extension [CountedRep] {
  /// The reps as a JSON array, in order.
  ///
  /// - Parameters:
  ///   - decimals: of the times.
  ///   - origin: what the times count from, in seconds on the reps' clock.
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
  /// The line of a set in the results, with the members that its recording alone decides.
  ///
  /// - Parameter set: its times in seconds from the recording's first sample.
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

  /// Adds a set with times of so many decimals.
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
