/// Formats of other tools that hold recordings but are not read here: each is refused by its name,
/// with the way to convert it.
enum ForeignFormat {
  private struct Format {
    var name: String
    var advice: String
    var offset: Int
    var magic: StaticString
    /// The ending of file names that the format needs beside its first bytes; nil if those suffice.
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

  /// Why an input of one of these formats cannot be read; nil if it is of none of them.
  static func refusal(_ head: UnsafeRawBufferPointer, fileName: String) -> DecodingFailure? {
    let lowercased = fileName.lowercased()
    for format in formats {
      let magic = UnsafeRawBufferPointer(
        start: format.magic.utf8Start, count: format.magic.utf8CodeUnitCount)
      guard head.count >= format.offset + magic.count,
        head[format.offset..<format.offset + magic.count].elementsEqual(magic),
        format.ending.map(lowercased.hasSuffix) ?? true
      else { continue }
      // Any XML may end in .xml; Apple's names its root early.
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
