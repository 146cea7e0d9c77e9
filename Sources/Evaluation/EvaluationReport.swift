/// The figures of an evaluation: accuracy of counts and times.
package struct EvaluationReport: Sendable {
  /// Accuracy of the counts in a group of sets.
  package struct Accuracy: Sendable {
    package var sets: Int
    package var exact: Int
    package var withinOne: Int
    /// Number of counts that the raters considered possible, if the labels give a range.
    package var inRange: Int
    package var meanAbsoluteError: Double

    init(_ sets: [EvaluatedSet]) {
      self.sets = sets.count
      exact = sets.count(where: \.isExact)
      withinOne = sets.count(where: \.isWithinOne)
      inRange = sets.count(where: \.isInRange)
      let total = sets.reduce(0) { $0 + abs($1.error) }
      meanAbsoluteError = sets.isEmpty ? 0 : Double(total) / Double(sets.count)
    }
  }

  /// Errors of times relative to the ground truth, in seconds.
  package struct TimeErrors: Sendable {
    package var count: Int
    package var medianAbsolute: Double
    /// Median error; positive if detected later than labeled.
    package var median: Double
    package var p90Absolute: Double

    init?(_ errors: [Double]) {
      guard !errors.isEmpty else { return nil }
      let absolute = errors.map { abs($0) }
      count = errors.count
      medianAbsolute = quantile(0.5, of: absolute)
      median = quantile(0.5, of: errors)
      p90Absolute = quantile(0.9, of: absolute)
    }
  }

  package var mode: EvaluationOptions.Mode
  package var rateHz: Double?
  package var sets: [EvaluatedSet]
  package var total: Accuracy
  /// Accuracy by exercise, in alphabetical order; empty if the labels name no exercise.
  package var byExercise: [(exercise: String, accuracy: Accuracy)]
  package var foundSets: Int
  package var missedSets: Int
  package var startErrors: TimeErrors?
  package var endErrors: TimeErrors?
  /// False reps. This and the next three properties cover the recordings with labeled spans, in mode found.
  package var falseReps: Int
  package var falseSets: Int
  package var repsInFalseSets: Int
  package var restSeconds: Double
  package var repStartErrors: TimeErrors?
  package var repEndErrors: TimeErrors?
  package var missedReps: Int
  package var inventedReps: Int
  /// Calibration of the confidence of detected sets.
  package var calibration: CalibrationStatistics?
  /// Calibration of the confidence of reps, if the labels have rep times.
  package var repCalibration: CalibrationStatistics?
  /// Results by recording, if segmentations were requested.
  package var traced: [EvaluatedRecording] = []
  /// Latency of announcements, if requested; nothing else is measured then.
  package var live: LiveEvaluationReport?

  package init(_ recordings: [EvaluatedRecording], options: EvaluationOptions) {
    mode = options.mode
    if options.tracesSegmentations { traced = recordings }
    live = options.isLive ? LiveEvaluationReport(recordings.compactMap(\.followed)) : nil
    rateHz = options.rateHz
    sets = recordings.flatMap(\.sets)
    total = Accuracy(sets)
    byExercise = Dictionary(grouping: sets.filter { $0.label.exercise != nil }) {
      $0.label.exercise ?? ""
    }.map { ($0.key, Accuracy($0.value)) }.sorted { $0.0 < $1.0 }
    foundSets = sets.count(where: \.wasFound)
    missedSets = sets.count - foundSets
    startErrors = TimeErrors(sets.compactMap(\.startError))
    endErrors = TimeErrors(sets.compactMap(\.endError))
    falseReps = recordings.reduce(0) { $0 + $1.falseReps }
    falseSets = recordings.reduce(0) { $0 + $1.falseSets }
    repsInFalseSets = recordings.reduce(0) { $0 + $1.repsInFalseSets }
    restSeconds = recordings.reduce(0) { $0 + $1.restSeconds }
    let timings = sets.compactMap(\.repTiming)
    repStartErrors = TimeErrors(timings.flatMap(\.startErrors))
    repEndErrors = TimeErrors(timings.flatMap(\.endErrors))
    missedReps = timings.reduce(0) { $0 + $1.missed }
    inventedReps = timings.reduce(0) { $0 + $1.invented }
    calibration = CalibrationStatistics(
      sets.compactMap { set in set.confidence.map { ($0, set.isExact) } })
    repCalibration = CalibrationStatistics(
      sets.flatMap { set in
        zip(set.counted.flatMap(\.reps), set.repTiming?.isTrue ?? []).map { ($0.confidence, $1) }
      })
  }

  /// Returns the accuracy of the sets grouped by the value of a label column, in the order of the values.
  /// Omits rows without a value.
  package func accuracy(by column: String) -> [(value: String, accuracy: Accuracy)] {
    let valued = sets.filter { !($0.label.columns[column] ?? "").isEmpty }
    return Dictionary(grouping: valued) { $0.label.columns[column] ?? "" }
      .map { ($0.key, Accuracy($0.value)) }
      .sorted { (naturalSortKey($0.0), $0.0) < (naturalSortKey($1.0), $1.0) }
  }

  package var falseRepsPerTenMinutes: Double? {
    restSeconds > 0 ? Double(falseReps) / restSeconds * 600 : nil
  }
}

/// Returns a key that sorts texts case-insensitively, and whole numbers in them by value.
private func naturalSortKey(_ text: String) -> String {
  var key = ""
  var digits = ""
  for character in text.lowercased() + "\0" {
    if character.isWholeNumber {
      digits.append(character)
      continue
    }
    if !digits.isEmpty {
      key += String(repeating: "0", count: max(0, 20 - digits.count)) + digits
      digits = ""
    }
    key.append(character)
  }
  return key
}

/// Returns a quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996, the
/// default of NumPy); 0 without values.
func quantile(_ q: Double, of values: [Double]) -> Double {
  guard !values.isEmpty else { return 0 }
  let sorted = values.sorted()
  let position = q * Double(sorted.count - 1)
  let below = Int(position)
  let above = min(below + 1, sorted.count - 1)
  return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
}
