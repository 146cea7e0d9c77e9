/// Unsupported recording formats of other tools, rejected by name with advice on converting them.
enum ForeignFormat {
  private struct Format {
    var name: String
    var advice: String
    var offset: Int
    var magic: StaticString
    /// The file extension that the format needs besides its first bytes; nil if those suffice.
    var ending: String?
  }

  private static let formats: [Format] = [
    Format(
      name: "Parquet",
      advice: "write it as CSV, for example with pandas: "
        + "pd.read_parquet(file).to_csv(\"recording.csv\", index=False)", offset: 0, magic: "PAR1"),
    Format(
      name: "FIT",
      advice: "convert it to CSV with Garmin's FitCSVTool; accelerometer data is in "
        + "its accelerometer_data messages", offset: 8, magic: ".FIT"),
    Format(
      name: "Axivity .cwa",
      advice: "convert it to CSV with cwa-convert or omconvert: "
        + "cwa-convert file.cwa -f:csv -t:timestamp > recording.csv", offset: 0, magic: "MD",
      ending: ".cwa"),
    Format(
      name: "an Apple Health export",
      advice:
        "it has summaries and no motion samples; record with an app that saves motion, such as "
        + "Sensor Logger", offset: 0, magic: "<?xml", ending: ".xml"),
  ]

  /// Returns the reason to reject an input in one of these formats; nil for other inputs.
  static func refusal(_ head: UnsafeRawBufferPointer, fileName: String) -> DecodingFailure? {
    let lowercased = fileName.lowercased()
    for format in formats {
      let magic = UnsafeRawBufferPointer(
        start: format.magic.utf8Start, count: format.magic.utf8CodeUnitCount)
      guard head.count >= format.offset + magic.count,
        head[format.offset..<format.offset + magic.count].elementsEqual(magic),
        format.ending.map(lowercased.hasSuffix) ?? true
      else { continue }
      // Any XML may end in .xml; Apple's has its root's name early.
      if format.ending == ".xml", !contains(head.prefix(1 << 16), "HealthData") { continue }
      return DecodingFailure(
        .unsupportedFormat, "\(format.name) is not read; \(format.advice)", byteOffset: 0)
    }
    return nil
  }

  private static func contains(_ bytes: Slice<UnsafeRawBufferPointer>, _ word: StaticString) -> Bool
  {
    let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes.count >= word.count else { return false }
    return (bytes.startIndex...(bytes.endIndex - word.count)).contains {
      bytes[$0..<$0 + word.count].elementsEqual(word)
    }
  }
}
