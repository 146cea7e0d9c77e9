import Foundation
import Logging

/// Writes one JSON object per line to standard error: `time` (s since 1970), `level`, `message`, and the
/// metadata sorted by name.
public struct JSONLog: LogHandler {
  public var logLevel: Logger.Level
  public var metadata: Logger.Metadata = [:]

  public init(level: Logger.Level) { logLevel = level }

  public subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    var members = [
      "\"time\":\((Date().timeIntervalSince1970 * 1000).rounded() / 1000)",
      "\"level\":\(Self.quoted(event.level.rawValue))",
      "\"message\":\(Self.quoted(event.message.description))",
    ]
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      let text =
        switch value {
        case .stringConvertible(let number as any BinaryInteger): "\(number)"
        case .stringConvertible(let number as Double): "\((number * 1e4).rounded() / 1e4)"
        default: Self.quoted(value.description)
        }
      members.append("\(Self.quoted(name)):\(text)")
    }
    let line = "{" + members.joined(separator: ",") + "}\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  private static func quoted(_ text: String) -> String {
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}
