import Motion
import MovementAnalysis
import RepDetection
import TextFormats

func jsonArray(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

extension JSONObjectText {
  /// Appends a number with all its digits; null if it is not finite.
  mutating func add(exact key: String, _ value: Double) {
    add(key, json: value.isFinite ? value.description : "null")
  }

  /// Appends the known figures.
  mutating func add<Analysis>(_ figures: [Figure<Analysis>], of analysis: Analysis) {
    for figure in figures {
      if let value = figure.value(analysis) { add(figure.key, value, decimals: 4) }
    }
  }

  mutating func add(_ key: String, _ texts: [String]) {
    add(key, json: jsonArray(texts.map { Self.quoted($0) }))
  }
}

/// Returns a set with all digits of its times, on the samples' clock.
func exactJSON(_ set: CountedSet) -> String {
  var object = JSONObjectText()
  object.add("cause", set.cause.rawValue)
  object.add(exact: "start", set.start)
  object.add(exact: "end", set.end)
  object.add(exact: "confidence", set.confidence)
  object.add("reps", json: jsonArray(set.reps.map { exactJSON($0) }))
  object.add("partialReps", json: jsonArray(set.partialReps.map { exactJSON($0) }))
  return object.text
}

func exactJSON(_ rep: CountedRep) -> String {
  var object = JSONObjectText()
  object.add(exact: "start", rep.start)
  object.add(exact: "end", rep.end)
  object.add(exact: "confidence", rep.confidence)
  return object.text
}

func exactJSON(_ event: DetectionEvent) -> String {
  var object = JSONObjectText()
  func begin(_ type: String) {
    object.add("type", type)
    object.add(exact: "time", event.time)
  }
  switch event {
  case .setStarted(_, let start, let cause):
    begin("setStarted")
    object.add(exact: "start", start)
    object.add("cause", cause.rawValue)
  case .rep(_, let count, let rep):
    begin("rep")
    object.add("count", count)
    object.add("rep", json: exactJSON(rep))
  case .repCorrected(_, let count):
    begin("repCorrected")
    object.add("count", count)
  case .partialRep(_, let rep):
    begin("partialRep")
    object.add("rep", json: exactJSON(rep))
  case .phase(_, let from, let to):
    begin("phase")
    object.add("from", from.rawValue)
    object.add("to", to.rawValue)
  case .setEnded(_, let set):
    begin("setEnded")
    object.add("set", json: exactJSON(set))
  case .setCancelled: begin("setCancelled")
  }
  return object.text
}

func json(_ analysis: SetAnalysis, start: Double) -> String {
  var object = JSONObjectText()
  object.add(SetAnalysis.shownFigures, of: analysis)
  let reps = analysis.reps.map { rep in
    var object = JSONObjectText()
    object.add("duration", rep.duration, decimals: 4)
    object.add(RepAnalysis.figures, of: rep)
    return object.text
  }
  object.add("reps", json: jsonArray(reps))
  if let curve = analysis.curve {
    var curveObject = JSONObjectText()
    curveObject.add("source", curve.source.rawValue)
    curveObject.add(
      "times",
      json: jsonArray(curve.points.map { JSONObjectText.number(start + $0.time, decimals: 3) }))
    curveObject.add(
      "values",
      json: jsonArray(curve.points.map { JSONObjectText.number($0.movement, decimals: 3) }))
    object.add("curve", json: curveObject.text)
  }
  return object.text
}
