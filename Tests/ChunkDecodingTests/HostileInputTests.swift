import Foundation
import Motion
import Testing

@testable import ChunkDecoding

@Suite struct HostileInputTests {
  private func decode(_ bytes: [UInt8], _ fileName: String = "x.json") throws -> DecodedFile {
    try RecordingDecoder.decode(bytes, fileName: fileName)
  }

  private func kind(_ text: String, _ fileName: String = "x.json") -> DecodingFailure.Kind? {
    do {
      _ = try decode(Array(text.utf8), fileName)
      return nil
    } catch let failure as DecodingFailure {
      return failure.kind
    } catch {
      return nil
    }
  }

  /// Cases in the manner of the public JSON parsing test suite: none of them is JSON.
  @Test(arguments: [
    "[1 true]", "[a]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]",
    "[\"x\"", "[x", "[3[4]]", "[1:2]", "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,]",
    "[\"\u{b}a\"\\f]", "[*]", "[nul]", "[tru]", "[fals]", "[++1234]", "[+1]", "[+Inf]", "[-01]",
    "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]", "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]",
    "[0E+]", "[0E]", "[1.0e+]", "[1.0e-]", "[1.0e]", "[1eE2]", "[2.e+3]", "[2.e-3]", "[2.e3]",
    "[9.e+]", "[Inf]", "[NaN]", "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]",
    "[-123.123foo]",
    "[-Infinity]", "[-foo]", "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]", "[1.]", "[.123]",
    "[1.2a-3]", "[1.8011670033376514H-308]", "[012]", "[\"x\", truth]", "{[: \"x\"}",
    "{\"x\", null}", "{\"x\"::\"b\"}", "{\"a\":\"a\" 123}", "{key: 'value'}", "{\"a\" b}",
    "{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}",
    "{null:null,null:null}",
    "{\"id\":0,,,,,}", "{'a':0}", "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}//",
    "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}", "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }",
    "{\"a\":\"b\"}#", "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]", "[\"\\uD800\\u1\"]", "[\"\\x00\"]",
    "[\"\\\\\\\"]", "[\"\\\t\"]", "[\"\\🌀\"]", "[\"\\\"]", "[\"\\u00A\"]", "[\"\\a\"]",
    "[\"\\uqqqq\"]", "[\u{0060}", "[\"\t\"]", "[\"new\nline\"]", "[][]]", "[\"asd]", "[1]x",
    "{\"a\":true \"x\"}", "[}", "{]", "[True]", "[1,2}", "[{", "[\"a\"}", "{\"asd\":\"asd\"",
    "[\u{0c}]",
  ])
  func invalidJSONIsRefusedAsInvalid(_ text: String) {
    let found = kind(text)
    #expect(found == .invalidJSON || found == .truncated, "\(String(describing: found))")
  }

  /// Valid JSON, none of it a chunk.
  @Test(arguments: [
    "[[]   ]", "[\"\"]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]",
    "[1,null,null,null,2]", "[2] ", "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0.0]", "[20e1]",
    "[-0]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]",
    "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}",
    "{\"a\":\"b\",\"a\":\"c\"}", "{}", "{\"\":0}", "{\"foo\\u0000bar\": 42}", "{\"min\": -1.0e+28}",
    "{\"a\":[]}", "{\"title\":\"\\u041f\\u043e\"}", "[\"\\u0060\\u012a\\u12AB\"]",
    "[\"\\uD801\\udc37\"]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\\u0000\"]", "[\"a/*b*/c/*d//e\"]", "[\"😀\"]",
    "[\"\\uFFFF\"]", "[\"\u{2028}\"]", "[\"\\uDADA\"]", "[\"\\uD888\\u1234\"]", "[1e9999]",
    "[-1e9999]",
    "[123456789012345678901234567890]", "[[[[[[[[[[]]]]]]]]]]", "[\"\u{7f}\"]", "[{\"a\":1}]",
    "{\"samples\":1}", "{\"samples\":{}}", "{\"samples\":[1]}", "{\"type\":\"x\"}", "{\"type\":5}",
  ])
  func jsonThatIsNoChunkIsRefusedAsSuch(_ text: String) {
    #expect(kind(text) == .notAChunk)
  }

  @Test func textThatIsNotUTF8() {
    for bytes: [UInt8] in [
      [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0xBF, 0xBF, 0xBF],
      [0xFF], [0xC3, 0x28], [0xF0, 0x28, 0x8C, 0xBC],
    ] {
      let failure = #expect(throws: DecodingFailure.self) {
        try decode([UInt8](ascii: "[\"") + bytes + [UInt8](ascii: "\"]"))
      }
      #expect(failure?.kind == .invalidJSON)
    }
    for text in ["[1]", "{}"] {
      for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
        let bytes = Array(text.data(using: encoding) ?? Data())
        let failure = #expect(throws: DecodingFailure.self) { try decode(bytes) }
        #expect(failure?.kind == .unsupportedEncoding)
      }
    }
    // A byte order mark is fine.
    #expect(kind("\u{FEFF}[]") == nil)
  }

  @Test func deepNestingIsLimited() {
    for text in [
      String(repeating: "[", count: 200_000), String(repeating: "{\"a\":", count: 200_000),
      "{\"samples\":[{\"gravity\":" + String(repeating: "[", count: 1_000_000),
    ] {
      let found = kind(text)
      #expect(found == .limitExceeded)
    }
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    #expect(kind(deep) == .notAChunk)
  }

  @Test func twoHundredMegabytesOfBracketsAreRefusedAtOnce() {
    let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 200 << 20)
    let failure = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(brackets, fileName: "x.json")
    }
    #expect(failure?.kind == .limitExceeded)
    let line = #expect(throws: DecodingFailure.self) { try RecordingDecoder.decodeLine(brackets) }
    #expect(line?.kind == .limitExceeded)
  }

  /// Writers of JSON print what is no number in many ways; whichever it is, the sample is dropped.
  @Test(arguments: [
    "NaN", "nan", "NAN", "-NaN", "\"NaN\"", "Infinity", "-Infinity", "inf", "-inf", "INF",
    "\"Infinity\"", "\"-inf\"", "1e999", "-1e999", "1e308000", "\"1\"", "true", "{}", "[]",
  ])
  func whatIsNoFiniteNumberDropsItsSample(_ value: String) throws {
    let text = """
      [{"timestamp":1,"roll":0.5},{"timestamp":2,"roll":\(value)},{"timestamp":3,"roll":0.5}]
      """
    let file = try decode(Array(text.utf8))
    #expect(file.chunks.first?.samples.times == [1, 3])
    #expect(file.issues.map(\.kind) == [.droppedSamples])
  }

  @Test func nulBytesAreNoJSON() {
    for text in ["[1,\u{0}2]", "{\"a\":\"b\u{0}\"}", "{\"a\u{0}\":1}", "[1]\u{0}", "[\u{0}]"] {
      #expect(kind(text) == .invalidJSON, "\(text)")
    }
    let csv = "timestamp,accelerationX\n1,0\u{0}5\n2,0.5\n"
    let file = try? decode(Array(csv.utf8), "x.csv")
    #expect(file?.chunks.first?.samples.times ?? [2] == [2])
  }

  @Test func limitsHold() throws {
    let sample = "{\"timestamp\":1,\"accelerationX\":1}"
    let chunk = "{\"setId\":\"\(String(repeating: "x", count: 300))\",\"samples\":[\(sample)]}"
    #expect(kind(chunk) == .limitExceeded)
    var options = DecodingOptions()
    options.limits.samples = 3
    let many = "[" + Array(repeating: sample, count: 4).joined(separator: ",") + "]"
    let tooMany = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(Array(many.utf8), options: options)
    }
    #expect(tooMany?.kind == .limitExceeded)
    options.limits.inputBytes = 10
    let tooLong = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(Array(many.utf8), options: options)
    }
    #expect(tooLong?.kind == .limitExceeded)
    options.limits = .standard
    options.limits.columns = 2
    let tooWide = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(
        Array("timestamp,a,accelerationX\n1,2,3\n".utf8), options: options)
    }
    #expect(tooWide?.kind == .limitExceeded)
  }

  private static let shortCSV = Array("timestamp,accelerationX\n0,1\n0.02,2\n".utf8)

  private func failure(_ options: DecodingOptions) -> DecodingFailure.Kind? {
    let failure = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(Self.shortCSV, fileName: "x.csv", options: options)
    }
    return failure?.kind
  }

  @Test func anyNumberOfLinesMayBeSkipped() throws {
    var options = DecodingOptions()
    options.skippedLines = -1
    let file = try RecordingDecoder.decode(Self.shortCSV, fileName: "x.csv", options: options)
    #expect(file.sampleCount == 2)
    options.skippedLines = .max
    #expect(failure(options) == .unknownFormat)
  }

  @Test func columnsThatCannotBeAreRefused() {
    let wrong: [[ColumnDescription.Sensor]] = [
      [], [.init(quantity: .userAcceleration, columns: [.number(-1)])],
    ]
    for sensors in wrong {
      for hasHeader in [false, true] {
        var options = DecodingOptions(
          columns: ColumnDescription(hasHeader: hasHeader, time: nil, sensors: sensors))
        options.rateHz = 50
        #expect(failure(options) == .invalidColumnDescription)
      }
    }
  }

  @Test(arguments: [-50, 0, Double.nan, .infinity])
  func aRateThatGivesNoTimesIsRefused(_ rate: Double) {
    var options = DecodingOptions(
      columns: ColumnDescription(
        hasHeader: true, time: nil,
        sensors: [.init(quantity: .userAcceleration, columns: [.number(1)])]))
    options.rateHz = rate
    #expect(failure(options) == .invalidColumnDescription)
  }

  @Test func oddValuesInSamples() throws {
    let text = """
      [{"timestamp":1,"accelerationX":1},{"timestamp":2,"accelerationX":1e999},
       {"timestamp":3,"accelerationX":NaN},{"timestamp":4,"accelerationX":"NaN"},
       {"timestamp":5,"accelerationX":-Infinity},{"timestamp":6,"accelerationX":true},
       {"timestamp":7,"accelerationX":[1]},{"timestamp":8,"accelerationX":null},
       {"timestamp":null,"accelerationX":1},{"timestamp":10,"accelerationX":2,"accelerationX":3},
       {"timestamp":11,"acceleration\\u0058":5,"accelerationX":4,"other":{"accelerationX":[{}]}}]
      """
    let file = try decode(Array(text.utf8))
    let samples = try #require(file.chunks.first).samples
    #expect(samples.times == [1, 10, 11])
    #expect(samples[.userAccelerationX] == [1, 3, 4])
    #expect(file.issues.filter { $0.kind == .droppedSamples }.map(\.count) == [6, 1])
  }

  @Test func aCountThatLiesIsNoMoreThanAWarning() throws {
    for count in ["-1", "1e18", "0", "1e999", "\"many\""] {
      let text = """
        {"setId":"s","metadata":{"sampleCount":\(count)},"samples":[{"timestamp":1,"roll":0.5}]}
        """
      let file = try decode(Array(text.utf8))
      #expect(file.sampleCount == 1)
      #expect(file.issues.allSatisfy { $0.kind == .wrongCount })
    }
  }

  @Test func loneSurrogatesBecomeReplacements() throws {
    let text = #"{"setId":"a\uD800b\ud83d\ude00\uDC00","samples":[]}"#
    let chunk = try #require(try decode(Array(text.utf8)).chunks.first)
    #expect(chunk.identity.setId == "a\u{FFFD}b😀\u{FFFD}")
  }

  @Test func damagedLinesOfAStreamAreRefusedAsAWhole() {
    let text = "{\"samples\":[{\"timestamp\":1,\"roll\":0.5},{\"timestamp\":2,"
    #expect(throws: DecodingFailure.self) { try RecordingDecoder.decodeLine(Array(text.utf8)) }
    #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decodeLine(Array("{\"samples\":[]} {}".utf8))
    }
  }
}

extension [UInt8] {
  fileprivate init(ascii text: String) { self = Array(text.utf8) }
}
