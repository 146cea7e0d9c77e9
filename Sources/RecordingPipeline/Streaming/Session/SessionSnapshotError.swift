import Motion

/// Why a session cannot be restored.
package enum SessionSnapshotError: Error, Hashable {
  /// It does not begin like one, or is shorter than one can be.
  case notASnapshot
  /// Some of its bytes are missing, or not what they were.
  case damaged
  /// Another version of RepTrace wrote it.
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
