import ChunkDecoding

/// How files are read.
public struct LoadingOptions: Sendable {
  public var decoding: DecodingOptions

  /// Nothing is given: formats, dates and columns are recognised.
  public init() {
    decoding = DecodingOptions()
  }

  /// - Parameters:
  ///   - format: the format of all files, or nil to recognise each from its content.
  ///   - columnsFile: a column description for CSV files that do not say themselves what they hold.
  ///   - dateEncoding: how dates in chunks are encoded, or nil to recognise it.
  /// - Throws: ``InputFailure`` where the column description cannot be read.
  public init(
    format: InputFormat? = nil, columnsFile: String?, dateEncoding: DateEncoding? = nil
  ) throws {
    decoding = DecodingOptions(format: format, dateEncoding: dateEncoding)
    if let columnsFile {
      decoding.columns = try ColumnsFile.read(columnsFile)
    }
  }
}

/// Finds and reads the column descriptions that lie beside CSV files.
enum ColumnsFile {
  static func read(_ path: String) throws(InputFailure) -> ColumnDescription {
    guard FileReading.exists(path) else {
      throw InputFailure(path: path, kind: .missing, message: "no such file")
    }
    return try read(path) { try FileReading.bytes(ofFile: path) }
  }

  private static func read(
    _ path: String, _ bytes: () throws -> [UInt8]
  ) throws(InputFailure) -> ColumnDescription {
    do {
      return try bytes().withUnsafeBytes { try ColumnDescription(json: $0) }
    } catch let failure as DecodingFailure {
      throw InputFailure(path: path, kind: .undecodable, message: failure.description)
    } catch {
      throw InputFailure(
        path: path, kind: .unreadable, message: "\(error)")
    }
  }

  /// The description beside a CSV file: `X.columns.json`, or `columns.json` in its folder.
  static func beside(_ file: InputFile) throws(InputFailure) -> ColumnDescription? {
    let stem = String(PathParts(file.contentPath).stem)
    for candidate in [stem + ".columns.json", file.folder + "/columns.json"] {
      do {
        guard let bytes = try file.bytes(beside: candidate) else { continue }
        return try read(candidate) { bytes }
      } catch let failure as InputFailure {
        throw failure
      } catch {
        throw InputFailure(
          path: candidate, kind: .unreadable, message: "\(error)")
      }
    }
    return nil
  }
}
