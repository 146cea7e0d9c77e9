import Motion

/// The reason why a session cannot be restored.
package enum SessionSnapshotError: Error, Hashable {
  /// The bytes are too short or have no snapshot's header.
  case notASnapshot
  /// Bytes are missing or altered.
  case damaged
  /// The snapshot was written by another version of RepTrace.
  case otherVersion(String)
}

extension SessionSnapshotError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notASnapshot: "this is no snapshot of a session"
    case .damaged: "the snapshot of the session is damaged"
    case .otherVersion(let version):
      "the snapshot of the session is of RepTrace \(version), and this is \(libraryVersion): end all sessions "
        + "with the version that wrote it before an upgrade"
    }
  }
}
