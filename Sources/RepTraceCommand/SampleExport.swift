import RepTrace

/// Writes samples as text from which every value reads back exactly.
struct SampleExport {
  var output: OutputFormat
  /// Whether a first column names the recording.
  var namesRecordings: Bool

  func write(_ exports: [(name: String, batch: () throws -> MotionBatch)]) throws {
    var writer = LineWriter(output == .csv ? .data : .text)
    var rowCount = 0
    var header: [String] = []
    for export in exports {
      let batch = try export.batch()
      let names = batch.channels.map { channel in
        Self.columnName(channel, batch.units)
          + (batch.estimated.contains(channel) ? "_estimated" : "")
      }
      // Recordings with other columns get a header of their own.
      if output == .csv, names != header {
        try writer.write(DelimitedLine.csv((namesRecordings ? ["recording"] : []) + names))
        header = names
      }
      let columns = batch.channels.map { batch[$0] }
      let prefix =
        namesRecordings
        ? (output == .csv
          ? DelimitedLine.csv([export.name]) + ","
          : "\"recording\":" + JSONObjectText.quoted(export.name) + ",") : ""
      let keys = names.map { JSONObjectText.quoted($0) + ":" }
      for row in 0..<batch.count {
        var line = prefix
        for column in columns.indices {
          let value = columns[column][row]
          if output == .csv {
            if column > 0 { line += "," }
            if !value.isNaN { line += "\(value)" }
          } else if value.isFinite {
            if column > 0 { line += "," }
            line += keys[column]
            line += "\(value)"
          }
        }
        switch output {
        case .csv: try writer.write(line)
        case .json: try writer.write((rowCount == 0 ? "[" : ",") + "{" + line + "}")
        case .ndjson, .table: try writer.write("{" + line + "}")
        }
        rowCount += 1
      }
    }
    if output == .json { try writer.write(rowCount == 0 ? "[]" : "]") }
    try writer.flush()
  }

  /// The channel's name, with its unit where that is not the usual one.
  static func columnName(_ channel: MotionChannel, _ units: MotionUnits) -> String {
    let symbol = units.symbol(of: channel.quantity)
    return symbol == MotionUnits.standard.symbol(of: channel.quantity)
      ? channel.name : "\(channel.name)(\(symbol))"
  }
}
