import Motion

/// The sets of a recording, and the movements that were not counted with the reasons.
public struct Diagnosis: Sendable {
  public var sets: [CountedSet]
  /// Rejected candidates, in order of time.
  public var rejections: [CandidateRejection]
}
