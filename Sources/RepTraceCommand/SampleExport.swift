import ArgumentParser
import RepTrace

/// Writes samples as text from which every value can be read back exactly.
struct SampleExport {
  var output: OutputFormat
  var csv = CSVStyle()
  /// Whether the first column names the recording.
  var namesRecordings: Bool

  /// - Throws: ``ExitStatus`` after writing all others, if some were damaged.
  func write(_ exports: [(name: String, batch: () throws -> MotionBatch)]) throws {
    var failureCount = 0
    var writer = LineWriter(output == .csv ? .data : .text)
    var rowCount = 0
    var header: [String] = []
    let separator = String(csv.separator)
    for export in exports {
      let batch: MotionBatch
      do {
        batch = try export.batch()
      } catch let error as HistoryError {
        guard case .damaged = error else { throw error }
        StandardStreams.note("\(error)")
        failureCount += 1
        continue
      }
      let names = batch.channels.map { channel in
        Self.columnName(channel, batch.units)
          + (batch.estimated.contains(channel) ? "_estimated" : "")
      }
      // Recordings with other columns get their own header.
      if output == .csv, names != header {
        try writer.write(DelimitedLine.csv((namesRecordings ? ["recording"] : []) + names, csv))
        header = names
      }
      let columns = batch.channels.map { batch[$0] }
      let prefix =
        namesRecordings
        ? (output == .csv
          ? DelimitedLine.csv([export.name], csv) + separator
          : "\"recording\":" + JSONObjectText.quoted(export.name) + ",") : ""
      let keys = names.map { JSONObjectText.quoted($0) + ":" }
      for row in 0..<batch.count {
        var line = prefix
        for column in columns.indices {
          let value = columns[column][row]
          if output == .csv {
            if column > 0 { line += separator }
            if !value.isNaN { line += csv.number("\(value)") }
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
    let isNothing = failureCount > 0 && failureCount == exports.count
    if output == .json, !isNothing { try writer.write(rowCount == 0 ? "[]" : "]") }
    try writer.flush()
    if isNothing { throw ExitStatus.noInputDecoded }
    if failureCount > 0 { throw ExitStatus.someInputsFailed }
  }

  /// Reads a part of a history and names it in errors about damage.
  static func reading<T>(_ name: String, in store: String, _ body: () throws -> T) throws -> T {
    func damage(_ reason: String) -> HistoryError {
      .damaged(path: "\(store) (\(name))", reason: reason)
    }
    do {
      return try body()
    } catch HistoryError.damaged(_, let reason) {
      throw damage(reason)
    } catch let error as TimelineError {
      throw damage("\(error)")
    }
  }

  /// Returns the channel's name, with its unit if that is not the default.
  static func columnName(_ channel: MotionChannel, _ units: MotionUnits) -> String {
    let symbol = units.symbol(of: channel.quantity)
    return symbol == MotionUnits.standard.symbol(of: channel.quantity)
      ? channel.name : "\(channel.name)(\(symbol))"
  }
}
