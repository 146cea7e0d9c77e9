import Foundation
import Logging
import RepTrace

/// Writes one JSON object per line to standard error: `time` (seconds since 1970), `level`, `message`, and
/// the metadata sorted by name.
struct JSONLinesLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var object = JSONObjectText([
      "time": .number(Date().timeIntervalSince1970, decimals: 3),
      "level": .text(event.level.rawValue), "message": .text(event.message.description),
    ])
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .stringConvertible(let number as Int): object.add(name, .number(number))
      case .stringConvertible(let number as Double): object.add(name, .number(number, decimals: 4))
      default: object.add(name, .text(value.description))
      }
    }
    StandardStreams.note(object.text)
  }
}
