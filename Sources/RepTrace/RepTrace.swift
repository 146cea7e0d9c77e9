// One import gives an embedding program the whole house.
@_exported import ChunkDecoding
@_exported import Motion
@_exported import RepDetection
@_exported import TimelineStore

/// Facts about this build of RepTrace.
public enum RepTrace {
  /// The version that `reptrace --version` prints and stored timelines name as their producer.
  public static let version = "0.1.0"
}
