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

  /// Invalid JSON. ``JSONTestSuiteTests`` has many more cases.
  @Test(arguments: [
    "[a]", "{[: \"x\"}", "[\u{0060}", "[][]]", "{\"a\":true \"x\"}", "[}", "[1,2}", "[\"a\"}",
  ])
  func invalidJSONIsRejected(_ text: String) {
    let found = kind(text)
    #expect(found == .invalidJSON || found == .truncated, "\(String(describing: found))")
  }

  /// An invalid sample is detected even after samples with equal keys.
  @Test(arguments: [
    "{\"x\":1{\"timestamp\":2.5,\"roll\":0.1234567890123456}", "\"timestamp\":2,\"roll\":3}",
    ",\"timestamp\":2,\"roll\":3}", "{,\"timestamp\":2,\"roll\":3}", "{\"timestamp\":2\"roll\":3}",
    "{\"timestamp\":2,,\"roll\":3}", "{\"timestamp\":2,\"roll\" 3}", "{\"timestamp\":2,\"roll\":}",
    "{\"x\":1,{\"timestamp\":2,\"roll\":3}", "{\"timestamp\":2,\"roll\":0.1234567890123456.5}",
    "{\"timestamp\":2,\"roll\":0.1234567890123456e}",
    "{\"timestamp\":2,\"roll\":0.1234567890123456x}",
    "{\"x\":1\"timestamp\":2,\"roll\":3}", "{\"roll\":00.1234567890123456,\"timestamp\":2}",
    "{\"timestamp\":2,\"roll\":3,}", "{\"timestamp\":2,\"roll\":3]",
  ])
  func invalidSampleAfterValidOnes(_ sample: String) {
    let good = "{\"timestamp\":1.5,\"roll\":-0.1234567890123456}"
    let first = Array(repeating: good, count: 3).joined(separator: ",")
    let padding = String(repeating: " ", count: 100)
    let failure = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decodeLine(Array("[\(first),\(sample)\(padding)]".utf8))
    }
    #expect(failure?.kind == .invalidJSON)
    #expect((failure?.byteOffset ?? 0) > first.utf8.count)
  }

  /// Valid JSON that is not a chunk.
  @Test(arguments: [
    "[-0.0]", "{\"min\": -1.0e+28}", "{\"title\":\"\\u041f\\u043e\"}", "[\"😀\"]", "[1e9999]",
    "[-1e9999]", "[123456789012345678901234567890]", "[[[[[[[[[[]]]]]]]]]]", "[{\"a\":1}]",
    "{\"samples\":1}", "{\"samples\":{}}", "{\"samples\":[1]}", "{\"type\":\"x\"}", "{\"type\":5}",
  ])
  func otherJSONIsNotAChunk(_ text: String) {
    #expect(kind(text) == .notAChunk)
  }

  @Test func textInOtherEncodings() {
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
    // A byte order mark is accepted.
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

  @Test func twoHundredMegabytesOfBracketsAreRejected() {
    let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 200 << 20)
    let failure = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(brackets, fileName: "x.json")
    }
    #expect(failure?.kind == .limitExceeded)
    let line = #expect(throws: DecodingFailure.self) { try RecordingDecoder.decodeLine(brackets) }
    #expect(line?.kind == .limitExceeded)
  }

  /// JSON writers print non-finite numbers in many ways; the sample is dropped in every case.
  @Test(arguments: [
    "NaN", "nan", "NAN", "-NaN", "\"NaN\"", "Infinity", "-Infinity", "inf", "-inf", "INF",
    "\"Infinity\"", "\"-inf\"", "1e999", "-1e999", "1e308000", "\"1\"", "true", "{}", "[]",
  ])
  func nonFiniteNumberDropsItsSample(_ value: String) throws {
    let text = """
      [{"timestamp":1,"roll":0.5},{"timestamp":2,"roll":\(value)},{"timestamp":3,"roll":0.5}]
      """
    let file = try decode(Array(text.utf8))
    #expect(file.chunks.first?.samples.times == [1, 3])
    #expect(file.issues.map(\.kind) == [.droppedSamples])
  }

  @Test func nulBytesAreInvalidJSON() {
    for text in ["[1,\u{0}2]", "{\"a\":\"b\u{0}\"}", "{\"a\u{0}\":1}", "[1]\u{0}", "[\u{0}]"] {
      #expect(kind(text) == .invalidJSON, "\(text)")
    }
    let csv = "timestamp,accelerationX\n1,0\u{0}5\n2,0.5\n"
    let file = try? decode(Array(csv.utf8), "x.csv")
    #expect(file?.chunks.first?.samples.times ?? [2] == [2])
  }

  @Test func limitsAreEnforced() throws {
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
    for separator in ["\n", ","] {
      options.limits.messages = 3
      let chunks = Array(repeating: "{\"samples\":[]}", count: 4).joined(separator: separator)
      let tooMany = #expect(throws: DecodingFailure.self) {
        try RecordingDecoder.decode(
          Array((separator == "," ? "[\(chunks)]" : chunks).utf8), options: options)
      }
      #expect(tooMany?.kind == .limitExceeded)
    }
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
    // Columns beyond the limit are not read.
    let commas = [UInt8](repeating: UInt8(ascii: ","), count: 100)
    let names = commas.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map {
        CSVHeader($0, start: 0, end: 100, delimiter: UInt8(ascii: ","), columnsAtMost: 5).names
      }
    }
    #expect(names?.count == 6)
  }

  @Test func depthLimitIsCapped() {
    var options = DecodingOptions(limits: DecodingLimits(depth: .max))
    #expect(options.limits.depth == 1000)
    options.limits.depth = 10_000_000
    for opening in ["[", "{\"type\":"] {
      let deep = String(repeating: opening, count: 200_000)
      let failure = #expect(throws: DecodingFailure.self) {
        try RecordingDecoder.decode(Array(deep.utf8), fileName: "x.json", options: options)
      }
      #expect(failure?.kind == .limitExceeded)
    }
    let message = "{\"type\":\"endSet\",\"x\":" + String(repeating: "[", count: 999)
    let whole = message + String(repeating: "]", count: 999) + "}"
    #expect(throws: Never.self) {
      try RecordingDecoder.decode(Array(whole.utf8), fileName: "x.json", options: options)
    }
  }

  /// An issue for each line would take a hundred times the input's memory.
  @Test func badLinesAfterTheHundredthAreCounted() throws {
    let bad = String(repeating: "{}\n", count: 5000) + String(repeating: "{x\n", count: 5000)
    let file = try decode(Array((bad + "{\"type\":\"endSet\"}\n").utf8), "x.ndjson")
    #expect(file.messages.count == 1)
    #expect(file.issues.count == 104)
    #expect(file.issues[101].description == "line 102: 4899 more like these")
    #expect(file.issues[102].line == 5001)
    #expect(file.issues[103].description == "line 5002: 4999 more like these")
    #expect(kind(bad, "x.ndjson") == .invalidJSON)
  }

  /// A loss is reported even after many harmless issues.
  @Test func lossesAreReportedAfterAHundredNotes() throws {
    let sample = "{\"timestamp\":1,\"roll\":0.5}"
    let text =
      String(repeating: "{\"type\":\"dance\"}\n", count: 150) + "{\"samples\":[\(sample)\n"
      + "{\"samples\":[\(sample)]}\n"
    let file = try decode(Array(text.utf8), "x.ndjson")
    #expect(file.issues.last?.kind == .invalidLine)
    #expect(file.issues.last?.line == 151)
  }

  private static let shortCSV = Array("timestamp,accelerationX\n0,1\n0.02,2\n".utf8)

  private func failure(_ options: DecodingOptions) -> DecodingFailure.Kind? {
    let failure = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(Self.shortCSV, fileName: "x.csv", options: options)
    }
    return failure?.kind
  }

  @Test func anyNumberOfLinesCanBeSkipped() throws {
    var options = DecodingOptions()
    options.skippedLines = -1
    let file = try RecordingDecoder.decode(Self.shortCSV, fileName: "x.csv", options: options)
    #expect(file.sampleCount == 2)
    options.skippedLines = .max
    #expect(failure(options) == .unknownFormat)
  }

  @Test func impossibleColumnsAreRejected() {
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
  func unusableRateIsRejected(_ rate: Double) {
    var options = DecodingOptions(
      columns: ColumnDescription(
        hasHeader: true, time: nil,
        sensors: [.init(quantity: .userAcceleration, columns: [.number(1)])]))
    options.rateHz = rate
    #expect(failure(options) == .invalidColumnDescription)
  }

  /// Samples are read in blocks. Values of a late sensor before its first measurement are NaN.
  @Test(arguments: [1, 127, 128, 129, 256, 200_000]) func lateColumnIsNaNFirst(_ count: Int) throws
  {
    let rows = (0..<count).map {
      "{\"timestamp\":\($0),\"yaw\":\($0)\($0 == count - 1 ? ",\"roll\":2" : "")}"
    }
    let file = try decode(Array("[\(rows.joined(separator: ","))]".utf8))
    let samples = try #require(file.chunks.first).samples
    let numbers = (0..<count).map { Double($0) }
    #expect(samples.times == numbers)
    #expect(samples[.yaw] == numbers)
    #expect(samples[.roll].count == count)
    #expect(samples[.roll].last == 2)
    #expect(samples[.roll].dropLast().allSatisfy { $0.isNaN })
    #expect(!samples.has(.pitch))
  }

  @Test func oddValuesInSamples() throws {
    let text = """
      [{"timestamp":1,"accelerationX":1},{"timestamp":2,"accelerationX":1e999},
       {"timestamp":3,"accelerationX":NaN},{"timestamp":4,"accelerationX":"NaN"},
       {"timestamp":5,"accelerationX":-Infinity},{"timestamp":6,"accelerationX":true},
       {"timestamp":7,"accelerationX":[1]},{"timestamp":8,"accelerationX":null},
       {"timestamp":null,"accelerationX":1},{"timestamp":10,"accelerationX":2,"accelerationX":3},
       {"timestamp":10.5,"accelerationX":2,"accelerationX":null,"roll":1},
       {"timestamp":11,"acceleration\\u0058":5,"accelerationX":4,"other":{"accelerationX":[{}]}}]
      """
    let file = try decode(Array(text.utf8))
    let samples = try #require(file.chunks.first).samples
    #expect(samples.times == [1, 10, 10.5, 11])
    #expect(samples[.userAccelerationX].filter { !$0.isNaN } == [1, 3, 4])
    #expect(file.issues.filter { $0.kind == .droppedSamples }.map(\.count) == [6, 1])
  }

  @Test func wrongSampleCountIsAWarning() throws {
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

  @Test func damagedStreamLineIsRejectedCompletely() {
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
