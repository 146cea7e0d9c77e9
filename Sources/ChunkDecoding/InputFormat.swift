/// The supported formats of recordings. Raw values are the names in options.
public enum InputFormat: String, CaseIterable, Sendable, Hashable {
  /// One JSON object with ids and samples.
  case chunkObject = "chunk"
  /// A JSON array of samples; ids are in a sidecar.
  case chunkArray = "array"
  /// Chunks and messages, one JSON object per line.
  case ndjson
  /// Comma-separated values of any dialect, by header or column description.
  case csv
  /// Binary chunk frames.
  case frames
}
