import Motion
import RepDetection

extension Evaluator {
  /// Number of samples per chunk, as sent by the watch.
  private static let chunkSamples = 100

  /// Streams a recording in chunks: once per label as a declared set, and once as a whole to detect sets.
  func follow(_ recording: Recording, labels: [LabeledSet]) -> FollowedRecording {
    let standard = recording.samples.inStandardUnits()
    var result = FollowedRecording()
    for label in labels {
      let followed = Self.follow(
        cut(label, from: standard), isDeclared: true, configuration: configuration(for: label))
      guard let set = followed.last, let ended = set.ended else { continue }
      result.sets.append(
        FollowedSet(
          recording: label.recording, cause: .declared,
          timing: LiveTiming(shown: set.shown, reps: ended.reps)))
    }
    let spans = labels.compactMap(\.span)
    let isOfExercise = labels.contains { $0.reps > 0 }
    let followed = Self.follow(
      prepared(standard), isDeclared: false, configuration: configuration(for: labels.first))
    for set in followed {
      guard
        let ended = set.ended,
        spans.isEmpty
          ? isOfExercise
          : spans.contains(where: { ended.start < $0.upperBound && ended.end > $0.lowerBound })
      else {
        result.falseSets += 1
        continue
      }
      result.sets.append(
        FollowedSet(
          recording: labels.first?.recording ?? "", cause: .detected,
          timing: LiveTiming(shown: set.shown, reps: ended.reps),
          recognitionSeconds: set.announced - ended.start))
    }
    return result
  }

  private struct Progress {
    var announced: Double
    var shown: [LiveTiming.Shown] = []
    /// The ended set; nil during the set, and if it was canceled.
    var ended: CountedSet?
  }

  /// Returns the announced sets, in order.
  private static func follow(
    _ samples: MotionBatch, isDeclared: Bool, configuration: DetectorConfiguration
  ) -> [Progress] {
    var detector = RepDetector(configuration: configuration)
    var sets: [Progress] = []
    let take = { (event: DetectionEvent) in
      if case .setStarted(let time, _, _) = event { sets.append(Progress(announced: time)) }
      guard let current = sets.indices.last else { return }
      switch event {
      case .rep(let time, let count, let rep):
        sets[current].shown.append(
          LiveTiming.Shown(time: time, count: count, rep: rep.start...max(rep.start, rep.end)))
      case .repCorrected(let time, let count):
        sets[current].shown.append(LiveTiming.Shown(time: time, count: count))
      case .setEnded(_, let set): sets[current].ended = set
      case .setStarted, .partialRep, .phase, .setCancelled: break
      }
    }
    if isDeclared { detector.beginSet(onEvent: take) }
    for start in stride(from: 0, to: samples.count, by: chunkSamples) {
      detector.append(samples[start..<min(start + chunkSamples, samples.count)], onEvent: take)
    }
    detector.finish(onEvent: take)
    return sets
  }
}
