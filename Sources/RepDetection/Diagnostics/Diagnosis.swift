import Motion

/// The sets of a recording, and the uncounted movements with the reasons.
public struct Diagnosis: Sendable {
  public var sets: [CountedSet]
  /// Rejected candidates, in order of time.
  public var rejections: [CandidateRejection]
}
