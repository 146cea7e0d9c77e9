/// The reason why a snapshot cannot be restored.
public enum SnapshotError: Error, Hashable {
  /// The bytes are too short or do not begin like a snapshot.
  case notASnapshot
  /// The checksum does not match.
  case damaged
  /// The snapshot has a different state layout. Count the set again from its samples.
  case otherVersion
}

extension SnapshotError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notASnapshot: "this is no snapshot of a detector"
    case .damaged: "the snapshot is damaged: its checksum does not agree"
    case .otherVersion:
      "the snapshot is of another version of the detector; count the set again from its samples"
    }
  }
}
