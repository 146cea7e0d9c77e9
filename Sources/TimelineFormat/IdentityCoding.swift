import Motion

/// The identity section: the ids of session, exercise and set, and the date of the first sample.
enum IdentityCoding {
  static func encode(_ identity: SetIdentity, unixTimeOfFirstSample: Double?) -> [UInt8] {
    let ids = [identity.sessionId, identity.exerciseId, identity.setId]
    var writer = ByteWriter()
    var present: UInt8 = unixTimeOfFirstSample == nil ? 0 : 8
    for (bit, id) in ids.enumerated() where id != nil { present |= 1 << UInt8(bit) }
    writer.uint8(present)
    for case let id? in ids { write(id, to: &writer) }
    if let unixTimeOfFirstSample { writer.double(unixTimeOfFirstSample) }
    return writer.bytes
  }

  static func decode(
    _ reader: inout ByteReader
  ) throws(TimelineError) -> (identity: SetIdentity, unixTimeOfFirstSample: Double?) {
    let present = try reader.uint8()
    guard present & 0xF0 == 0 else {
      throw .malformed(place: reader.place, reason: "unknown fields")
    }
    var identity = SetIdentity()
    if present & 1 != 0 { identity.sessionId = try id(&reader) }
    if present & 2 != 0 { identity.exerciseId = try id(&reader) }
    if present & 4 != 0 { identity.setId = try id(&reader) }
    return (identity, present & 8 != 0 ? try reader.double() : nil)
  }

  /// Kinds of ids: a text, or a UUID written in upper or lower case.
  private enum Kind: UInt8 {
    case text = 0
    case upperCaseUUID = 1
    case lowerCaseUUID = 2
  }

  private static func write(_ id: String, to writer: inout ByteWriter) {
    if let bytes = uuidBytes(of: id) {
      for kind in [Kind.upperCaseUUID, .lowerCaseUUID] where text(of: bytes, as: kind) == id {
        writer.uint8(kind.rawValue)
        writer.append(bytes)
        return
      }
    }
    writer.uint8(Kind.text.rawValue)
    writer.text(id)
  }

  private static func id(_ reader: inout ByteReader) throws(TimelineError) -> String {
    guard let kind = Kind(rawValue: try reader.uint8()) else {
      throw .malformed(place: reader.place, reason: "unknown kind of id")
    }
    if kind == .text { return try reader.text() }
    return text(of: Array(reader.bytes[try reader.skip(16)]), as: kind)
  }

  private static func uuidBytes(of text: String) -> [UInt8]? {
    guard text.utf8.count == 36 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 where character != UInt8(ascii: "-") {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes.count == 16 && high == nil ? bytes : nil
  }

  private static func text(of bytes: [UInt8], as kind: Kind) -> String {
    let digits = Array((kind == .upperCaseUUID ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
