/// The formats of recordings that can be read. The raw values are the names that options use.
public enum InputFormat: String, CaseIterable, Sendable, Hashable {
  /// One JSON object with ids and samples.
  case chunkObject = "chunk"
  /// A JSON array of samples; ids in a sidecar.
  case chunkArray = "array"
  /// A JSON object a line: chunks and messages.
  case ndjson
  /// Comma-separated values of any dialect, by header or column description.
  case csv
  /// Binary chunk frames.
  case frames
}
