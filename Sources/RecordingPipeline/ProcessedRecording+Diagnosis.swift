import Motion
import RepDetection

extension ProcessedRecording {
  /// What the detector saw in the recording and did not count, with the reason: it is run again with
  /// someone taking notes, at about twice the cost of counting.
  ///
  /// - Parameter configuration: that with which the recording was counted.
  /// - Returns: in order of time; nothing for signal in which no set was looked for.
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

  /// The same for the samples of one stored set, or of a part of a recording.
  ///
  /// - Parameter sets: what was counted in the samples; nil where nothing was looked for.
  package static func rejections(
    in samples: MotionBatch, phases: [PhaseSpan], sets: [CountedSet]?,
    configuration: DetectorConfiguration = DetectorConfiguration()
  ) -> [CandidateRejection] {
    guard let sets else { return [] }
    guard sets.contains(where: { $0.cause == .declared }) else {
      return RepDetector.diagnose(samples, phases: phases, configuration: configuration).rejections
    }
    guard sets.allSatisfy(\.reps.isEmpty) else { return [] }
    return RepDetector.diagnoseSet(in: samples, phases: phases, configuration: configuration)
      .rejections
  }
}
