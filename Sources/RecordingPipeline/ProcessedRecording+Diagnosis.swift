import Motion
import RepDetection

extension ProcessedRecording {
  /// Returns the movements that the detector saw and did not count, with the reasons. Runs the detector again
  /// with diagnostics, at about twice the cost of counting.
  ///
  /// - Parameter configuration: The configuration with which the recording was counted.
  /// - Returns: Rejections in chronological order; empty for signal that was not searched for sets.
  package func rejections(
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> [CandidateRejection] {
    let isDeclared = parts.contains { $0.sets.contains { $0.cause == .declared } }
    return parts.flatMap { part in
      Self.rejections(
        in: part.recording.samples, phases: part.recording.phases,
        sets: isDeclared && part.sets.isEmpty ? nil : part.sets, configuration: configuration)
    }
  }

  /// Returns the rejections in the samples of one stored set, or of a part of a recording.
  ///
  /// - Parameter sets: The sets counted in the samples; nil if they were not searched.
  package static func rejections(
    in samples: MotionBatch, phases: [PhaseSpan], sets: [CountedSet]?,
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> [CandidateRejection] {
    guard let sets else { return [] }
    guard sets.contains(where: { $0.cause == .declared }) else {
      return RepDetector.diagnose(samples, phases: phases, configuration: configuration).rejections
    }
    return RepDetector.diagnoseSet(in: samples, phases: phases, configuration: configuration)
      .rejections
  }
}
