/// Builds the text of one JSON object with its members in the order in which they are added.
///
/// `JSONEncoder` guarantees no readable order, and writes all digits of every number.
package struct JSONObjectText {
  /// The value of a member. A member whose value is nil is left out.
  package struct Value {
    fileprivate var json: String?

    package static func text(_ value: String?) -> Value {
      json(value.map { JSONObjectText.quoted($0) })
    }

    package static func number(_ value: Int?) -> Value { json(value.map { String($0) }) }

    /// A number rounded to `decimals` places; `null` where it is not finite.
    package static func number(_ value: Double?, decimals: Int) -> Value {
      json(value.map { JSONObjectText.number($0, decimals: decimals) })
    }

    package static func flag(_ value: Bool?) -> Value { json(value.map { $0 ? "true" : "false" }) }

    /// JSON text.
    package static func json(_ text: String?) -> Value { Value(json: text) }

    /// An array of JSON texts.
    package static func list(_ elements: [String]) -> Value { json(JSONObjectText.array(elements)) }

    package static func texts(_ values: [String]) -> Value {
      list(values.map { JSONObjectText.quoted($0) })
    }

    /// A number with all its digits; left out if it is not finite.
    package static func exact(_ value: Double?) -> Value {
      json(value.flatMap { $0.isFinite ? "\($0)" : nil })
    }
  }

  private var members = ""

  package init(_ members: KeyValuePairs<String, Value> = [:]) { add(members) }

  package var text: String { "{" + members + "}" }

  package mutating func add(_ members: KeyValuePairs<String, Value>) {
    for (key, value) in members { add(key, value) }
  }

  package mutating func add(_ key: String, _ value: Value) {
    guard let json = value.json else { return }
    if !members.isEmpty { members += "," }
    members += Self.quoted(key)
    members += ":"
    members += json
  }

  /// Returns an array of JSON texts.
  package static func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }

  /// Returns a number rounded to `decimals` places, without trailing zeros; `null` if it is not finite.
  package static func number(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "null" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded()
    // Beyond 2^53 there is nothing to round.
    guard abs(scaled) < 9_007_199_254_740_992 else { return "\(value)" }
    let rounded = scaled / scale
    return rounded == rounded.rounded() ? String(Int64(rounded)) : "\(rounded)"
  }

  /// A JSON string with everything escaped that JSON, or a terminal, would trip over.
  package static func quoted(_ text: String) -> String {
    // Most texts are names and ids.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
      return "\"" + text + "\""
    }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.isTerminalControl:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Unicode.Scalar {
  /// True for control characters, and those that turn the direction of writing round.
  package var isTerminalControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
