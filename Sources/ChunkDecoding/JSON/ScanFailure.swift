/// The reason and position at which a scanner stopped. Contains no references, so throwing is cheap.
struct ScanFailure: Error {
  enum Reason {
    /// The input ended within a value.
    case endOfInput
    case expectedValue, expectedKey, expectedColon, expectedCommaOrEnd, invalidNumber
    case invalidLiteral, invalidEscape, controlCharacter, invalidUTF8, trailingContent
    case tooDeep, tooManySamples, tooManyMessages, textTooLong
  }

  var reason: Reason
  var offset: Int

  var kind: DecodingFailure.Kind {
    switch reason {
    case .endOfInput: .truncated
    case .tooDeep, .tooManySamples, .tooManyMessages, .textTooLong: .limitExceeded
    default: .invalidJSON
    }
  }

  func message(limits: DecodingLimits) -> String {
    switch reason {
    case .endOfInput: "the input ends within a JSON value"
    case .expectedValue: "not JSON: a value was expected"
    case .expectedKey: "not JSON: a key in quotes was expected"
    case .expectedColon: "not JSON: ':' was expected after a key"
    case .expectedCommaOrEnd: "not JSON: ',' or the end of the array or object was expected"
    case .invalidNumber: "not JSON: this is no number"
    case .invalidLiteral: "not JSON: true, false or null was expected"
    case .invalidEscape: "not JSON: this escape in a text does not exist"
    case .controlCharacter: "not JSON: a control character in a text"
    case .invalidUTF8: "not JSON: a text is not UTF-8"
    case .trailingContent: "not JSON: the end of the input was expected after the value"
    case .tooDeep: "more than \(limits.depth) arrays and objects within each other"
    case .tooManySamples: "more than \(limits.samples) samples"
    case .tooManyMessages: "more than \(limits.messages) chunks or messages"
    case .textTooLong: "a text of more than \(limits.textBytes) bytes where an id was expected"
    }
  }

  func failure(limits: DecodingLimits) -> DecodingFailure {
    DecodingFailure(kind, message(limits: limits), byteOffset: offset)
  }
}
