import Motion

/// Facts about this build of RepTrace.
public enum BuildInformation {
  /// The version that `reptrace --version` prints and stored timelines name as their producer.
  public static let version = libraryVersion
}
