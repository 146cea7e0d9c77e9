import Motion
import RepDetection

/// How labelled recordings are counted.
package struct EvaluationOptions: Sendable {
  package enum Mode: String, Sendable, CaseIterable {
    /// Each labelled set is cut out with two seconds on both sides and counted as declared.
    case given
    /// Whole recordings are counted, and the sets found are matched to the labelled ones.
    case found
  }

  package var mode: Mode
  /// Recordings are first resampled to this rate.
  package var rateHz: Double?
  /// Sensors that are taken away from every recording, as if the device had none.
  package var without: Set<RemovableSensor> = []
  package var detector: DetectorConfiguration
  /// What the counter is told beforehand.
  package var hints: Set<EvaluationHint> = []
  /// Whether the segmentations of every window are kept, for fitting weights.
  package var tracesSegmentations = false
  /// Whether recordings are streamed, to see how soon reps are told (``LiveEvaluationReport``), instead of
  /// counted.
  package var isLive = false
  /// Filled by ``EvaluationRun`` where patterns are among ``hints``.
  var patterns: [PatternKey: LearnedPattern] = [:]

  /// What is left around a given set, s.
  package var marginSeconds = EvaluationOptions.usualMarginSeconds
  package static let usualMarginSeconds = 2.0
  /// What is left out at the begin of every recording, s.
  package var skippedSeconds = 0.0

  package init(
    mode: Mode, rateHz: Double? = nil, detector: DetectorConfiguration = DetectorConfiguration()
  ) {
    self.mode = mode
    self.rateHz = rateHz
    self.detector = detector
  }
}

/// What the evaluation of one recording gave.
package struct EvaluatedRecording: Sendable {
  package var sets: [EvaluatedSet]
  /// In mode found, for recordings with labelled spans: reps counted more than
  /// ``EvaluationOptions/usualMarginSeconds`` outside any of them, in whatever set.
  package var falseReps: Int = 0
  /// Sets found that overlap no labelled one.
  package var falseSets: Int = 0
  /// Those of ``falseReps`` that belong to false sets.
  package var repsInFalseSets: Int = 0
  /// Seconds of the recording in which a rep would be false.
  package var restSeconds: Double = 0
  /// What was read, where that was asked for: by label in mode given.
  package var windows: [[TracedWindow]] = []
  /// Labels that name times which the recording does not have.
  package var warnings: [String] = []
  /// What was told while the samples came in, where that was asked for.
  package var followed: FollowedRecording? = nil
}

/// Counts a recording and compares with its labels.
package struct Evaluator: Sendable {
  package var options: EvaluationOptions

  package init(options: EvaluationOptions) {
    self.options = options
  }

  /// - Parameter labels: the rows of this recording. No other knowledge from them than, in mode
  ///   given, the span, and ``EvaluationOptions/hints`` where asked for, reaches the counter.
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
    case .found:
      result = traced(&windows) { found(labels, samples: prepared(standard)) }
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

  /// The samples of a labelled set with the margin on both sides; all where it has no span.
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

  /// What a set's movement looked like, if it is counted as labelled and long enough to learn from.
  func pattern(of label: LabeledSet, in recording: Recording) -> MovementPattern? {
    let standard = recording.samples.inStandardUnits()
    guard
      let set = given(label, samples: standard).counted.first, set.reps.count == label.reps,
      set.reps.count >= 4
    else { return nil }
    return RepDetector.pattern(
      of: set, in: prepared(standard), configuration: options.detector)
  }

  private func found(_ labels: [LabeledSet], samples: MotionBatch) -> EvaluatedRecording {
    // A recording is of one exercise here, or its hints are those of its first set.
    let counted = RepDetector.detectSets(
      in: samples, configuration: configuration(for: labels.first))
    var result = EvaluatedRecording(sets: [])
    let spans = labels.compactMap(\.span)
    for label in labels where label.span == nil {
      result.sets.append(EvaluatedSet(label: label, counted: counted))
    }
    guard !spans.isEmpty else { return result }

    // Largest overlap first, one to one.
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
      // A labelled span is only good to half a second and may cut off a rep.
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

  /// Seconds between two times that lie outside of the spans with the usual margin on both sides. Spans may
  /// overlap.
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
    if let truth = label.repTimes {
      repTiming = RepTiming(found: reps, truth: truth)
    }
  }
}
