import Foundation

/// A message with samples: a line of JSON that describes them, followed by their bytes.
enum SampleMessage {
  /// The description of a part. The bytes of all parts are concatenated.
  struct Head: Codable {
    var digest: String
    var size: Int
    var offset: Int
    var count: Int
  }

  static func encode(_ head: some Encodable, _ parts: [Data]) throws -> Data {
    var message = try JSONEncoder().encode(head)
    message.append(UInt8(ascii: "\n"))
    for part in parts { message += part }
    return message
  }

  /// - Throws: `DecodingError`.
  static func decode<Head: Decodable>(
    _ type: Head.Type, from message: Data
  ) throws -> (head: Head, bytes: Data) {
    let end = message.firstIndex(of: UInt8(ascii: "\n")) ?? message.endIndex
    let head = try JSONDecoder().decode(type, from: message[..<end])
    return (head, message[end...].dropFirst())
  }

  /// - Throws: `DecodingError` if the number of bytes does not match.
  static func split(_ bytes: Data, _ counts: [Int]) throws -> [Data] {
    var rest = bytes
    let parts = counts.map { count in
      let part = Data(rest.prefix(max(0, count)))
      rest = rest.dropFirst(part.count)
      return part
    }
    guard rest.isEmpty, zip(parts, counts).allSatisfy({ $0.count == $1 }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "the lengths are not those of the bytes"))
    }
    return parts
  }
}
