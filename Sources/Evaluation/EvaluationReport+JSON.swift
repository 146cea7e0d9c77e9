import TextFormats

extension EvaluatedSet {
  /// The set as one JSON object. `line` is the label's line in its file, if it has one.
  package var json: String {
    JSONObjectText([
      "recording": .text(label.recording), "line": .number(label.line > 0 ? label.line : nil),
      "exercise": .text(label.exercise), "reps": .number(label.reps),
      "counted": .number(countedReps), "exact": .flag(isExact),
      "setsFound": .number(label.span == nil ? counted.count : nil),
      "confidence": .number(confidence, decimals: 4),
      "startError": .number(startError, decimals: 3), "endError": .number(endError, decimals: 3),
    ]).text
  }
}

extension EvaluationReport {
  /// Returns all figures as one JSON object.
  ///
  /// - Parameter columns: Label columns by which to break down the counts.
  package func json(by columns: [String] = []) -> String {
    func json(_ groups: [(String, Accuracy)]) -> String {
      var object = JSONObjectText()
      for (name, accuracy) in groups { object.add(name, .json(accuracy.json)) }
      return object.text
    }
    var object = JSONObjectText([
      "mode": .text(mode.rawValue), "rateHz": .number(rateHz, decimals: 3),
      "total": .json(total.json), "exercises": .json(json(byExercise)),
    ])
    for column in columns { object.add("by:" + column, .json(json(accuracy(by: column)))) }
    object.add([
      "setsFound": .number(foundSets), "setsMissed": .number(missedSets),
      "setStart": .json(startErrors?.json), "setEnd": .json(endErrors?.json),
    ])
    if let falseRate = falseRepsPerTenMinutes {
      object.add([
        "ghostReps": .number(falseReps), "ghostSets": .number(falseSets),
        "restSeconds": .number(restSeconds, decimals: 1),
        "ghostRepsPer10Minutes": .number(falseRate, decimals: 2),
      ])
    }
    if let repStartErrors, let repEndErrors {
      object.add([
        "repStart": .json(repStartErrors.json), "repEnd": .json(repEndErrors.json),
        "repsMissed": .number(missedReps), "repsInvented": .number(inventedReps),
      ])
    }
    object.add([
      "calibration": .json(calibration?.json), "repCalibration": .json(repCalibration?.json),
      "sets": .list(sets.map(\.json)),
    ])
    return object.text
  }
}

extension EvaluationReport.Accuracy {
  fileprivate var json: String {
    let count = Double(max(1, sets))
    return JSONObjectText([
      "sets": .number(sets), "exact": .number(exact), "withinOne": .number(withinOne),
      "inRange": .number(inRange), "exactRate": .number(Double(exact) / count, decimals: 4),
      "withinOneRate": .number(Double(withinOne) / count, decimals: 4),
      "meanAbsoluteError": .number(meanAbsoluteError, decimals: 4),
    ]).text
  }
}

extension EvaluationReport.TimeErrors {
  fileprivate var json: String {
    JSONObjectText([
      "count": .number(count), "medianAbsoluteSeconds": .number(medianAbsolute, decimals: 4),
      "medianSeconds": .number(median, decimals: 4),
      "p90AbsoluteSeconds": .number(p90Absolute, decimals: 4),
    ]).text
  }
}

extension CalibrationStatistics {
  fileprivate var json: String {
    let bins = bins.map { bin in
      JSONObjectText([
        "count": .number(bin.count), "meanConfidence": .number(bin.meanConfidence, decimals: 4),
        "exactRate": .number(bin.rate, decimals: 4),
        "low": .number(bin.rateInterval.lowerBound, decimals: 4),
        "high": .number(bin.rateInterval.upperBound, decimals: 4),
      ]).text
    }
    return JSONObjectText([
      "count": .number(count), "meanConfidence": .number(meanConfidence, decimals: 4),
      "exactRate": .number(rate, decimals: 4), "brier": .number(brierScore, decimals: 4),
      "brierOfConstant": .number(brierScoreOfConstant, decimals: 4),
      "auroc": .number(areaUnderROC, decimals: 4),
      "expectedCalibrationError": .number(expectedCalibrationError, decimals: 4),
      "bins": .list(bins),
    ]).text
  }
}
