import Motion
import MovementAnalysis
import RepDetection
import TextFormats

extension JSONObjectText {
  /// Appends the known figures.
  mutating func add<Analysis>(_ figures: [Figure<Analysis>], of analysis: Analysis) {
    for figure in figures { add(figure.key, .number(figure.value(analysis), decimals: 4)) }
  }
}

extension JSONObjectText.Value {
  /// A number with all its digits; null if it is not finite.
  static func digits(_ value: Double) -> Self { json(value.isFinite ? value.description : "null") }
}

/// Returns a set with all digits of its times, on the samples' clock.
func exactJSON(_ set: CountedSet) -> String {
  JSONObjectText([
    "cause": .text(set.cause.rawValue), "start": .digits(set.start), "end": .digits(set.end),
    "confidence": .digits(set.confidence), "reps": .list(set.reps.map { exactJSON($0) }),
    "partialReps": .list(set.partialReps.map { exactJSON($0) }),
  ]).text
}

func exactJSON(_ rep: CountedRep) -> String {
  JSONObjectText([
    "start": .digits(rep.start), "end": .digits(rep.end), "confidence": .digits(rep.confidence),
  ]).text
}

func exactJSON(_ event: DetectionEvent) -> String {
  func json(
    _ type: String, _ details: KeyValuePairs<String, JSONObjectText.Value> = [:]
  ) -> String {
    var object = JSONObjectText(["type": .text(type), "time": .digits(event.time)])
    object.add(details)
    return object.text
  }
  return switch event {
  case .setStarted(_, let start, let cause):
    json("setStarted", ["start": .digits(start), "cause": .text(cause.rawValue)])
  case .rep(_, let count, let rep):
    json("rep", ["count": .number(count), "rep": .json(exactJSON(rep))])
  case .repCorrected(_, let count): json("repCorrected", ["count": .number(count)])
  case .partialRep(_, let rep): json("partialRep", ["rep": .json(exactJSON(rep))])
  case .phase(_, let from, let to):
    json("phase", ["from": .text(from.rawValue), "to": .text(to.rawValue)])
  case .setEnded(_, let set): json("setEnded", ["set": .json(exactJSON(set))])
  case .setCancelled: json("setCancelled")
  }
}

func json(_ analysis: SetAnalysis, start: Double) -> String {
  var object = JSONObjectText()
  object.add(SetAnalysis.shownFigures, of: analysis)
  let reps = analysis.reps.map { rep in
    var object = JSONObjectText(["duration": .number(rep.duration, decimals: 4)])
    object.add(RepAnalysis.figures, of: rep)
    return object.text
  }
  let curve = analysis.curve.map { curve in
    JSONObjectText([
      "source": .text(curve.source.rawValue),
      "times": .list(curve.points.map { JSONObjectText.number(start + $0.time, decimals: 3) }),
      "values": .list(curve.points.map { JSONObjectText.number($0.movement, decimals: 3) }),
    ]).text
  }
  object.add(["reps": .list(reps), "curve": .json(curve)])
  return object.text
}
