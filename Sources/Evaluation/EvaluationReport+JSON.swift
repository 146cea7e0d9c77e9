import TextFormats

extension EvaluatedSet {
  /// The set as one JSON object. `line` is the label's line in its file, if it has one.
  package var json: String {
    var object = JSONObjectText()
    object.add("recording", label.recording)
    if label.line > 0 { object.add("line", label.line) }
    if let exercise = label.exercise { object.add("exercise", exercise) }
    object.add("reps", label.reps)
    object.add("counted", countedReps)
    object.add("exact", isExact)
    if label.span == nil { object.add("setsFound", counted.count) }
    if let confidence { object.add("confidence", confidence, decimals: 4) }
    if let startError { object.add("startError", startError, decimals: 3) }
    if let endError { object.add("endError", endError, decimals: 3) }
    return object.text
  }
}

extension EvaluationReport {
  /// All figures as one JSON object.
  ///
  /// - Parameter columns: Columns of the labels to break the counts down by.
  package func json(by columns: [String] = []) -> String {
    var object = JSONObjectText()
    object.add("mode", mode.rawValue)
    if let rateHz { object.add("rateHz", rateHz, decimals: 3) }
    object.add("total", json: total.json)
    var exercises = JSONObjectText()
    for (exercise, accuracy) in byExercise { exercises.add(exercise, json: accuracy.json) }
    object.add("exercises", json: exercises.text)
    for column in columns {
      var values = JSONObjectText()
      for (value, accuracy) in accuracy(by: column) { values.add(value, json: accuracy.json) }
      object.add("by:" + column, json: values.text)
    }
    object.add("setsFound", foundSets)
    object.add("setsMissed", missedSets)
    if let startErrors { object.add("setStart", json: startErrors.json) }
    if let endErrors { object.add("setEnd", json: endErrors.json) }
    if let falseRate = falseRepsPerTenMinutes {
      object.add("ghostReps", falseReps)
      object.add("ghostSets", falseSets)
      object.add("restSeconds", restSeconds, decimals: 1)
      object.add("ghostRepsPer10Minutes", falseRate, decimals: 2)
    }
    if let repStartErrors, let repEndErrors {
      object.add("repStart", json: repStartErrors.json)
      object.add("repEnd", json: repEndErrors.json)
      object.add("repsMissed", missedReps)
      object.add("repsInvented", inventedReps)
    }
    if let calibration { object.add("calibration", json: calibration.json) }
    if let repCalibration { object.add("repCalibration", json: repCalibration.json) }
    object.add("sets", json: "[" + sets.map(\.json).joined(separator: ",") + "]")
    return object.text
  }
}

extension EvaluationReport.Accuracy {
  fileprivate var json: String {
    var object = JSONObjectText()
    let count = Double(max(1, sets))
    object.add("sets", sets)
    object.add("exact", exact)
    object.add("withinOne", withinOne)
    object.add("inRange", inRange)
    object.add("exactRate", Double(exact) / count, decimals: 4)
    object.add("withinOneRate", Double(withinOne) / count, decimals: 4)
    object.add("meanAbsoluteError", meanAbsoluteError, decimals: 4)
    return object.text
  }
}

extension EvaluationReport.TimeErrors {
  fileprivate var json: String {
    var object = JSONObjectText()
    object.add("count", count)
    object.add("medianAbsoluteSeconds", medianAbsolute, decimals: 4)
    object.add("medianSeconds", median, decimals: 4)
    object.add("p90AbsoluteSeconds", p90Absolute, decimals: 4)
    return object.text
  }
}

extension CalibrationStatistics {
  fileprivate var json: String {
    var object = JSONObjectText()
    object.add("count", count)
    object.add("meanConfidence", meanConfidence, decimals: 4)
    object.add("exactRate", rate, decimals: 4)
    object.add("brier", brierScore, decimals: 4)
    object.add("brierOfConstant", brierScoreOfConstant, decimals: 4)
    if let areaUnderROC { object.add("auroc", areaUnderROC, decimals: 4) }
    object.add("expectedCalibrationError", expectedCalibrationError, decimals: 4)
    let bins = bins.map { bin in
      var object = JSONObjectText()
      object.add("count", bin.count)
      object.add("meanConfidence", bin.meanConfidence, decimals: 4)
      object.add("exactRate", bin.rate, decimals: 4)
      object.add("low", bin.rateInterval.lowerBound, decimals: 4)
      object.add("high", bin.rateInterval.upperBound, decimals: 4)
      return object.text
    }
    object.add("bins", json: "[" + bins.joined(separator: ",") + "]")
    return object.text
  }
}
