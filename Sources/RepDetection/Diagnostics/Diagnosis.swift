import Motion

/// The sets of a recording, and what was not counted with the reason.
public struct Diagnosis: Sendable {
  public var sets: [CountedSet]
  /// In order of time.
  public var rejections: [CandidateRejection]
}
