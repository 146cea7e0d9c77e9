import ChunkDecoding

/// Options for reading files.
public struct LoadingOptions: Sendable {
  public var decoding: DecodingOptions
  /// Maximum number of chunk file samples that a plan keeps (110 MB). Other files are decoded twice.
  package var samplesInMemory = 1 << 20

  /// Creates default options: formats, dates and columns are recognized.
  public init() { decoding = DecodingOptions() }

  /// - Parameters:
  ///   - format: The format of all files; nil to recognize each from its content.
  ///   - columnsFile: A column description for CSV files whose own header is not enough.
  ///   - dateEncoding: The encoding of dates in chunks; nil to recognize it.
  /// - Throws: ``InputFailure`` if the column description cannot be read.
  public init(
    format: InputFormat? = nil, columnsFile: String?, dateEncoding: DateEncoding? = nil
  ) throws(InputFailure) {
    decoding = DecodingOptions(format: format, dateEncoding: dateEncoding)
    if let columnsFile { decoding.columns = try ColumnsFile.read(columnsFile) }
  }
}

/// Finds and reads the column descriptions beside CSV files.
enum ColumnsFile {
  static func read(_ path: String) throws(InputFailure) -> ColumnDescription {
    guard FileReading.exists(path) else {
      throw InputFailure(path: path, kind: .missing, message: "no such file")
    }
    guard
      let description = try read(
        path,
        { () throws(FileReading.Failure) in
          try FileReading.bytes(ofFile: path)
        })
    else { throw InputFailure(path: path, kind: .missing, message: "no such file") }
    return description
  }

  /// Returns the column description; nil if there are no bytes.
  private static func read(
    _ path: String, _ content: () throws(FileReading.Failure) -> [UInt8]?
  ) throws(InputFailure) -> ColumnDescription? {
    let bytes: [UInt8]?
    do throws(FileReading.Failure) {
      bytes = try content()
    } catch {
      throw InputFailure(path: path, kind: .unreadable, message: error.description)
    }
    guard let bytes else { return nil }
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(DecodingFailure) in try ColumnDescription(json: bytes) }
    }
    return try result.mapError {
      InputFailure(path: path, kind: .undecodable, message: $0.description)
    }.get()
  }

  /// Returns the description beside a CSV file: `X.columns.json`, or `columns.json` in its folder.
  static func beside(_ file: InputFile) throws(InputFailure) -> ColumnDescription? {
    let stem = String(PathParts(file.contentPath).stem)
    for candidate in [stem + ".columns.json", file.folder + "/columns.json"] {
      let description = try read(candidate) { () throws(FileReading.Failure) in
        try file.bytes(beside: candidate)
      }
      if let description { return description }
    }
    return nil
  }
}
