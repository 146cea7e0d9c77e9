import Motion
import RepDetection

/// Options for counting labeled recordings.
package struct EvaluationOptions: Sendable {
  package enum Mode: String, Sendable, CaseIterable {
    /// Cuts out each labeled set with two seconds on both sides and counts it as declared.
    case given
    /// Counts whole recordings and matches the detected sets to the labeled ones.
    case found
  }

  package var mode: Mode
  /// The rate to which recordings are resampled first, in hertz; nil to keep theirs.
  package var rateHz: Double?
  /// Sensors to remove from every recording, as if the device had none.
  package var without: Set<RemovableSensor> = []
  package var detector: DetectorConfiguration
  /// Hints given to the detector.
  package var hints: Set<EvaluationHint> = []
  /// True to keep the segmentations of every window, for fitting weights.
  package var tracesSegmentations = false
  /// True to stream recordings and measure the latency of announcements (``LiveEvaluationReport``) instead of
  /// counting.
  package var isLive = false
  /// Learned movements, filled by ``EvaluationRun`` if ``hints`` contain patterns.
  var patterns: [PatternKey: LearnedPattern] = [:]

  /// Margin on both sides of a given set, in seconds.
  package var marginSeconds = EvaluationOptions.usualMarginSeconds
  package static let usualMarginSeconds = 2.0
  /// Duration removed from the start of every recording, in seconds.
  package var skippedSeconds = 0.0

  package init(
    mode: Mode, rateHz: Double? = nil, detector: DetectorConfiguration = DetectorConfiguration()
  ) {
    self.mode = mode
    self.rateHz = rateHz
    self.detector = detector
  }
}

package struct EvaluatedRecording: Sendable {
  package var sets: [EvaluatedSet]
  /// Number of reps counted more than ``EvaluationOptions/usualMarginSeconds`` outside of the labeled spans,
  /// in any set. Only in mode found, for recordings with such spans and those without a labeled rep.
  package var falseReps: Int = 0
  /// Number of detected sets that overlap no labeled one.
  package var falseSets: Int = 0
  /// Number of ``falseReps`` in false sets.
  package var repsInFalseSets: Int = 0
  /// Total duration of the recording in which reps would be false, in seconds.
  package var restSeconds: Double = 0
  /// Segmentations of the windows, if requested; in mode given, by label.
  package var windows: [[TracedWindow]] = []
  /// Warnings about labels whose times are outside of the recording.
  package var warnings: [String] = []
  /// The live events, if requested.
  package var followed: FollowedRecording? = nil
}

/// Counts a recording and compares the result with its labels.
package struct Evaluator: Sendable {
  package var options: EvaluationOptions

  package init(options: EvaluationOptions) { self.options = options }

  /// - Parameter labels: The recording's rows. The detector sees only the span, in mode given, and
  ///   ``EvaluationOptions/hints``.
  package func evaluate(_ recording: Recording, labels: [LabeledSet]) -> EvaluatedRecording {
    if options.isLive {
      return EvaluatedRecording(sets: [], followed: follow(recording, labels: labels))
    }
    let standard = recording.samples.inStandardUnits()
    var windows: [[TracedWindow]] = []
    var result: EvaluatedRecording
    switch options.mode {
    case .given:
      result = EvaluatedRecording(
        sets: labels.map { label in traced(&windows) { given(label, samples: standard) } })
    case .found: result = traced(&windows) { found(labels, samples: prepared(standard)) }
    }
    result.windows = windows
    if let first = standard.times.first, let last = standard.times.last {
      result.warnings = labels.compactMap { label in
        guard let span = label.span, span.upperBound < first || span.lowerBound > last else {
          return nil
        }
        return
          "line \(label.line): start and end lie outside of \(label.recording), whose times go "
          + "from \(first) to \(last) s"
      }
    }
    return result
  }

  private func traced<T>(_ windows: inout [[TracedWindow]], _ work: () -> T) -> T {
    guard options.tracesSegmentations else { return work() }
    var result: T?
    windows.append(SegmentationTrace.collect { result = work() })
    return result ?? work()
  }

  func prepared(_ samples: MotionBatch) -> MotionBatch {
    var samples = samples
    if options.skippedSeconds > 0, let first = samples.times.first {
      let begin = samples.times.firstIndex { $0 >= first + options.skippedSeconds }
      samples = samples[(begin ?? samples.count)..<samples.count]
    }
    for sensor in RemovableSensor.allCases where options.without.contains(sensor) {
      samples = samples.removing(sensor)
    }
    guard let rateHz = options.rateHz else { return samples }
    return samples.resampled(rateHz: rateHz)
  }

  private func given(_ label: LabeledSet, samples: MotionBatch) -> EvaluatedSet {
    let counted = RepDetector.countSet(
      in: cut(label, from: samples), configuration: configuration(for: label))
    return EvaluatedSet(label: label, counted: [counted])
  }

  /// Returns the samples of a labeled set with a margin on both sides; all samples if it has no span.
  func cut(_ label: LabeledSet, from samples: MotionBatch) -> MotionBatch {
    let all = prepared(samples)
    guard let span = label.span else { return all }
    let low = span.lowerBound - options.marginSeconds
    let high = span.upperBound + options.marginSeconds
    let times = all.times
    return all.selecting(times.indices.filter { times[$0] >= low && times[$0] <= high })
  }

  func configuration(for label: LabeledSet?) -> DetectorConfiguration {
    guard let label else { return options.detector }
    var configuration = options.detector
    configuration.hints = options.hints(of: label)
    return configuration
  }

  /// Returns the movement of a set, if its count matches the label and it has enough reps to learn from.
  func pattern(of label: LabeledSet, in recording: Recording) -> MovementPattern? {
    let standard = recording.samples.inStandardUnits()
    guard
      let set = given(label, samples: standard).counted.first, set.reps.count == label.reps,
      set.reps.count >= 4
    else { return nil }
    return RepDetector.pattern(of: set, in: prepared(standard), configuration: options.detector)
  }

  private func found(_ labels: [LabeledSet], samples: MotionBatch) -> EvaluatedRecording {
    // The first set's hints apply to the whole recording, which usually has one exercise.
    let counted = RepDetector.detectSets(
      in: samples, configuration: configuration(for: labels.first))
    var result = EvaluatedRecording(sets: [])
    let spans = labels.compactMap(\.span)
    for label in labels where label.span == nil {
      result.sets.append(EvaluatedSet(label: label, counted: counted))
    }
    // All reps are false in a recording without a labeled rep.
    guard !spans.isEmpty || labels.allSatisfy({ $0.reps == 0 }) else { return result }

    // Match one to one, largest overlap first.
    var pairs: [(overlap: Double, label: Int, set: Int)] = []
    for (i, label) in labels.enumerated() {
      guard let span = label.span else { continue }
      for (j, set) in counted.enumerated() {
        let overlap = min(set.end, span.upperBound) - max(set.start, span.lowerBound)
        if overlap > 0 { pairs.append((overlap, i, j)) }
      }
    }
    pairs.sort { $0.overlap > $1.overlap }
    var setOfLabel: [Int: Int] = [:]
    var taken = Set<Int>()
    for pair in pairs where setOfLabel[pair.label] == nil && !taken.contains(pair.set) {
      setOfLabel[pair.label] = pair.set
      taken.insert(pair.set)
    }
    for (i, label) in labels.enumerated() where label.span != nil {
      result.sets.append(
        EvaluatedSet(label: label, counted: setOfLabel[i].map { [counted[$0]] } ?? []))
    }

    for set in counted {
      let isFalse = !spans.contains { set.start < $0.upperBound && set.end > $0.lowerBound }
      // Labeled spans are accurate only to half a second and may cut off a rep.
      let falseReps = set.reps.count { rep in
        !spans.contains {
          rep.start < $0.upperBound + EvaluationOptions.usualMarginSeconds
            && rep.end > $0.lowerBound - EvaluationOptions.usualMarginSeconds
        }
      }
      result.falseReps += falseReps
      if isFalse {
        result.falseSets += 1
        result.repsInFalseSets += falseReps
      }
    }
    if let first = samples.times.first, let last = samples.times.last {
      result.restSeconds = Self.restSeconds(from: first, to: last, outside: spans)
    }
    return result
  }

  /// Returns the seconds between two times outside of the spans and their usual margins. Spans may overlap.
  static func restSeconds(
    from first: Double, to last: Double, outside spans: [ClosedRange<Double>]
  ) -> Double {
    let margin = EvaluationOptions.usualMarginSeconds
    var rest = 0.0
    var covered = first
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      rest += max(0, min(last, span.lowerBound - margin) - covered)
      covered = max(covered, span.upperBound + margin)
    }
    return rest + max(0, last - covered)
  }
}

extension EvaluatedSet {
  init(label: LabeledSet, counted: [CountedSet]) {
    let reps = counted.flatMap(\.reps)
    self.label = label
    self.counted = counted
    countedReps = reps.count
    wasFound = !reps.isEmpty
    confidence = counted.isEmpty ? nil : counted.reduce(1) { $0 * $1.confidence }
    if let span = label.span, let first = reps.first, let last = reps.last {
      startError = first.start - span.lowerBound
      endError = last.end - span.upperBound
    }
    if let truth = label.repTimes { repTiming = RepTiming(found: reps, truth: truth) }
  }
}
