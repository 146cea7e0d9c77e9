import Foundation
import Motion
import Testing

@testable import ChunkDecoding

@Suite struct ChunkFormatTests {
  private let flat = MadeSamples.flat(100)

  private func encode(_ value: some Encodable, dates: JSONEncoder.DateEncodingStrategy? = nil)
    throws
    -> [UInt8]
  {
    let encoder = JSONEncoder()
    if let dates { encoder.dateEncodingStrategy = dates }
    return Array(try encoder.encode(value))
  }

  private func expect(_ batch: MotionBatch, equals samples: [FlatSample], times: Bool = true) {
    #expect(batch.count == samples.count)
    if times { #expect(batch.times == samples.map(\.timestamp)) }
    #expect(batch[.userAccelerationX] == samples.map(\.accelerationX))
    #expect(batch[.userAccelerationZ] == samples.map(\.accelerationZ))
    #expect(batch[.rotationRateY] == samples.map(\.rotationY))
    #expect(batch[.gravityX] == samples.map(\.gravityX))
    #expect(batch[.gravityZ] == samples.map(\.gravityZ))
    #expect(batch[.roll] == samples.map(\.roll))
    #expect(batch[.pitch] == samples.map(\.pitch))
    #expect(batch[.yaw] == samples.map(\.yaw))
    #expect(!batch.has(.magneticFieldX))
    #expect(batch.units == .standard)
  }

  @Test func chunkObjectsFlatAndNested() throws {
    let ids = (UUID(), UUID(), UUID())
    let flatChunk = Chunk(
      sessionId: ids.0, exerciseId: ids.1, setId: ids.2, phase: "execution", samples: flat)
    let nestedChunk = Chunk(
      sessionId: ids.0, exerciseId: ids.1, setId: ids.2, phase: "rest",
      samples: flat.map(MadeSamples.nested))
    let first = try RecordingDecoder.decode(encode(flatChunk))
    #expect(first.format == .chunkObject)
    #expect(first.issues.isEmpty)
    let chunk = try #require(first.chunks.first)
    expect(chunk.samples, equals: flat)
    #expect(chunk.samples.clock == .device)
    #expect(chunk.phase == .execution)
    #expect(
      chunk.identity
        == SetIdentity(
          sessionId: ids.0.uuidString, exerciseId: ids.1.uuidString, setId: ids.2.uuidString))
    let second = try #require(try RecordingDecoder.decode(encode(nestedChunk)).chunks.first)
    expect(second.samples, equals: flat)
    #expect(second.phase == .rest)
  }

  @Test func magneticFieldIsOptional() throws {
    let text = """
      {"setId": "s", "samples": [
       {"timestamp": 1, "acceleration": {"x": 0.1, "y": 0, "z": 0}, "magneticField": null},
       {"timestamp": 1.02, "acceleration": {"x": 0.2, "y": 0, "z": 0},
        "magneticField": {"x": 20.5, "y": -3, "z": 1}}]}
      """
    let chunk = try #require(try RecordingDecoder.decode(Array(text.utf8)).chunks.first)
    #expect(chunk.samples.count == 2)
    #expect(chunk.samples[.magneticFieldX][0].isNaN)
    #expect(chunk.samples[.magneticFieldX][1] == 20.5)
    #expect(!chunk.samples.has(.gravity))
  }

  @Test(arguments: [DateEncoding.secondsSince1970, .millisecondsSince1970, .secondsSince2001])
  func watchAppArraysWithEveryNumericDate(_ encoding: DateEncoding) throws {
    let begin = Date(timeIntervalSince1970: 1_748_772_000.25)
    let watch = flat.enumerated().map { index, sample in
      MadeSamples.watch(sample, date: begin.addingTimeInterval(Double(index) * 0.02))
    }
    let strategy: JSONEncoder.DateEncodingStrategy =
      switch encoding {
      case .secondsSince1970: .secondsSince1970
      case .millisecondsSince1970: .millisecondsSince1970
      default: .deferredToDate
      }
    let sidecar = """
      {"type": "sensorData", "count": 100, "timestamp": 1748772003.5, "phase": "execution",
       "sessionId": "A", "planId": "P", "exerciseId": "E", "setId": "S", "setOrder": 2,
       "exerciseIndex": 1}
      """
    let file = try RecordingDecoder.decode(
      encode(watch, dates: strategy), fileName: "x.json", sidecar: Array(sidecar.utf8))
    #expect(file.format == .chunkArray)
    #expect(file.issues.isEmpty)
    let chunk = try #require(file.chunks.first)
    expect(chunk.samples.inStandardUnits(), equals: flat, times: false)
    let times = chunk.samples.inStandardUnits().times
    for (time, sample) in zip(times, watch) {
      #expect(abs(time - sample.capturedAt.timeIntervalSince1970) < 1e-6)
    }
    if encoding != .millisecondsSince1970 {
      #expect(times == watch.map(\.capturedAt.timeIntervalSince1970))
    }
    #expect(chunk.samples.clock == .unix)
    #expect(chunk.identity == SetIdentity(sessionId: "A", exerciseId: "E", setId: "S"))
    #expect(chunk.phase == .execution)
    #expect(chunk.metadata.setOrder == 2)
    #expect(chunk.metadata.statedCount == 100)
    #expect(chunk.captureFrequenciesHz == Array(repeating: 50, count: 100))
  }

  @Test func wholeSecondDatesKeepOrderAndRate() throws {
    let samples = MadeSamples.flat(460)
    let begin = Date(timeIntervalSince1970: 1_748_772_000.41)
    let watch = samples.enumerated().map { index, sample in
      MadeSamples.watch(sample, date: begin.addingTimeInterval(Double(index) * 0.02))
    }
    var reassembler = ChunkReassembler()
    var starts = Array(stride(from: 0, to: samples.count, by: 100))
    starts.reverse()
    for start in starts {
      let end = min(start + 100, samples.count)
      let chunk = try #require(
        try RecordingDecoder.decode(encode(Array(watch[start..<end]), dates: .iso8601)).chunks.first
      )
      #expect(chunk.timeResolution == .wholeSeconds)
      reassembler.add(chunk)
    }
    let result = reassembler.assemble(name: "x")
    let batch = result.recording.samples
    expect(batch, equals: samples, times: false)
    #expect(result.statistics.hasRebuiltTimes)
    for (a, b) in zip(batch.times, batch.times.dropFirst()) { #expect(abs(b - a - 0.02) < 1e-6) }
    #expect(abs(batch.times[0] - begin.timeIntervalSince1970) < 0.03)
  }

  @Test func singleChunkRebuildsItsTimes() throws {
    let samples = MadeSamples.flat(100)
    let begin = Date(timeIntervalSince1970: 1_748_772_000.41)
    let watch = samples.enumerated().map { index, sample in
      MadeSamples.watch(sample, date: begin.addingTimeInterval(Double(index) * 0.02))
    }
    let chunk = try #require(
      try RecordingDecoder.decode(encode(watch, dates: .iso8601)).chunks.first)
    let live = chunk.withRebuiltTimes()
    #expect(live.timeResolution == .exact)
    for (index, time) in live.samples.times.enumerated() {
      #expect(abs(time - begin.timeIntervalSince1970 - Double(index) * 0.02) < 0.03)
    }
    #expect(live.samples[.roll] == chunk.samples[.roll])
  }

  @Test func emptyArrayIsAChunk() throws {
    let file = try RecordingDecoder.decode(Array("[]".utf8))
    #expect(file.chunks.count == 1)
    #expect(file.sampleCount == 0)
  }

  @Test func truncatedArrayKeepsCompleteSamples() throws {
    let bytes = try encode(
      Chunk(
        sessionId: UUID(), exerciseId: UUID(), setId: UUID(), phase: "rest", samples: flat))
    let half = try RecordingDecoder.decode(Array(bytes[..<(bytes.count / 2)]))
    #expect((1..<100).contains(half.sampleCount))
    #expect(half.issues.map(\.kind) == [.truncated])
    let failure = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(Array(bytes[..<40]))
    }
    #expect(failure?.kind == .truncated)
  }

  /// The date belongs to the first sample, and does not cause the clock's times to be rebuilt.
  @Test func timestampWithADateKeepsItsBits() throws {
    let times = (0..<200).map { (row: Int) -> Double in
      let jitter = Double(row * 7 % 5) / 997
      return 5000 + Double(row) * 0.02 + jitter
    }
    let samples = times.map {
      "{\"timestamp\":\($0),\"capturedAt\":\"2025-06-01T10:00:00Z\",\"roll\":\($0 - 5000)}"
    }
    let file = try RecordingDecoder.decode(Array("[\(samples.joined(separator: ","))]".utf8))
    let chunk = try #require(file.chunks.first)
    #expect(chunk.samples.times == times)
    #expect(chunk.samples.clock == .device)
    #expect(chunk.timeResolution == .exact)
    #expect(chunk.unixTimeOfFirstSample == 1_748_772_000)
  }

  private func chunk(_ number: Int, fields: String = "\"sessionId\":\"w\"") -> String {
    let samples = (0..<10).map { "{\"timestamp\":\(number * 10 + $0).5,\"roll\":0.5}" }
    return "{\(fields),\"setId\":\"\(number)\",\"samples\":[\(samples.joined(separator: ","))]}"
  }

  /// Cuts the input within the third chunk's samples or first key, or damages it after that.
  @Test(arguments: [(70, 3), (335, 2), (0, 3)])
  func damagedArrayKeepsEarlierChunks(_ cut: Int, _ count: Int) throws {
    let whole = "[" + (1...3).map { chunk($0) }.joined(separator: ",")
    let text = cut == 0 ? whole + ",5]" : String(whole.dropLast(cut))
    let file = try RecordingDecoder.decode(Array(text.utf8))
    #expect(file.chunks.map(\.identity.setId) == ["1", "2", "3"].prefix(count).map { $0 })
    #expect(file.chunks.prefix(2).allSatisfy { $0.samples.count == 10 })
    #expect(file.issues.map(\.kind) == [cut == 0 ? .damaged : .truncated])
  }

  /// Samples without a number, or without a time, affect only their own chunk.
  @Test(arguments: ["\"timestamp\":1,\"roll\":\"x\"", "\"roll\":1"])
  func unusableChunkDoesNotAffectOthers(_ sample: String) throws {
    let bad = "{\"samples\":[{\(sample)}]}"
    let chunks = [chunk(1), bad, chunk(3)]
    let array = try RecordingDecoder.decode(Array("[\(chunks.joined(separator: ","))]".utf8))
    #expect(array.chunks.map(\.identity.setId) == ["1", "3"])
    #expect(array.issues.map(\.kind) == [.droppedSamples])
    // Values of several lines.
    let pretty = chunks.map { $0.replacingOccurrences(of: "{\"timestamp", with: "\n{\"timestamp") }
    let values = try RecordingDecoder.decode(Array(pretty.joined(separator: "\n").utf8))
    #expect(values.chunks.map(\.identity.setId) == ["1", "3"])
    #expect(values.issues.map(\.kind) == [.droppedSamples])
    // A single such chunk is an error, also in a stream, where its sender can send it again.
    #expect(throws: DecodingFailure.self) { try RecordingDecoder.decode(Array("[\(bad)]".utf8)) }
    #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decodeLine(Array("[\(chunk(1)),\(bad)]".utf8))
    }
  }

  @Test func truncatedChunkKeepsItsMetadata() throws {
    let text = chunk(1, fields: "\"metadata\":{\"sessionId\":\"w\",\"phase\":\"rest\"}")
    let cut = try #require(try RecordingDecoder.decode(Array(text.utf8.dropLast(40))).chunks.first)
    #expect(cut.identity == SetIdentity(sessionId: "w", setId: "1"))
    #expect(cut.phase == .rest)
  }

  /// Checks lines that neither the name nor the first lines indicate.
  @Test(arguments: [[100], [3], [100, 100], [3, 100, 3]])
  func damagedFirstLinesDoNotAffectOthers(_ kept: [Int]) throws {
    let lines = kept.map { String(chunk(1).prefix($0)) } + [chunk(2), chunk(3)]
    let file = try RecordingDecoder.decode(Array(lines.joined(separator: "\n").utf8))
    #expect(file.format == .ndjson)
    #expect(file.chunks.map(\.identity.setId) == ["2", "3"])
    let damaged: [Int?] = kept.indices.map { $0 + 1 }
    #expect(file.issues.map(\.line) == damaged)
  }

  /// Exceeding a limit in one line does not affect the others.
  @Test(arguments: [
    "{\"setId\":\"\(String(repeating: "x", count: 300))\",\"samples\":[]}",
    "{\"a\":\(String(repeating: "[", count: 200))\(String(repeating: "]", count: 200))}",
  ])
  func lineBeyondALimitIsSkipped(_ line: String) throws {
    let lines = [chunk(1), line, chunk(3)].joined(separator: "\n")
    let file = try RecordingDecoder.decode(Array(lines.utf8))
    #expect(file.chunks.map(\.identity.setId) == ["1", "3"])
    #expect(file.issues.map(\.kind) == [.invalidLine])
    #expect(file.issues.map(\.line) == [2])
  }

  /// The coarse subsample that is searched for gravity contains none.
  @Test func slowerGravitySensorDeterminesTheUnit() throws {
    let samples = (0..<90).map {
      "{\"timestamp\":\($0),\"accelerationX\":1,\"accelerationY\":0,\"accelerationZ\":0,"
        + ($0 % 2 == 0
          ? "\"gravity\":null}" : "\"gravity\":{\"x\":0,\"y\":0,\"z\":-9.81}}")
    }
    let file = try RecordingDecoder.decode(Array("[\(samples.joined(separator: ","))]".utf8))
    #expect(file.chunks.first?.samples.units.userAcceleration == .metersPerSecondSquared)
  }

  @Test func damagedSidecarIsAWarning() throws {
    let file = try RecordingDecoder.decode(
      Array("[{\"timestamp\":1,\"roll\":0.5}]".utf8), fileName: "x.json",
      sidecar: Array("{\"sessionId\": \"w\", \"setId\": x}".utf8))
    #expect(file.sampleCount == 1)
    #expect(file.chunks.first?.identity == SetIdentity(sessionId: "w"))
    #expect(file.issues.map(\.kind) == [.damaged])
    #expect(file.issues[0].description.hasPrefix("its sidecar, byte 28: not JSON"))
  }

  @Test func linesOfChunksAndMessages() throws {
    let chunk = """
      {"type":"sensorData","setId":"s","phase":"execution","chunkId":"c1",\
      "samples":[{"timestamp":5.0,"accelerationX":0.5}]}
      """
    let text = """
      {"type":"startSet","setId":"s","sessionId":"w","timestamp":1748772000.5}
      \(chunk)
      {"type":"healthData","heartRate":120,"calories":3.5,"timestamp":770464800,"phase":"execution"}
      {"type":"phase_change_detected","from_phase":"execution","to_phase":"rest","detected_at":"2025-06-01T10:00:10Z"}
      this is no JSON
      {"type":"dance"}
      {"type":"endSet","setId":"s"}
      """
    let file = try RecordingDecoder.decode(Array(text.utf8))
    #expect(file.format == .ndjson)
    #expect(file.messages.count == 5)
    #expect(file.chunks.first?.chunkId == "c1")
    #expect(file.issues.map(\.kind) == [.invalidLine, .unknownMessage])
    #expect(file.issues.map(\.line) == [5, 6])
    guard case .control(let start) = file.messages[0], case .health(let health) = file.messages[2],
      case .control(let change) = file.messages[3]
    else {
      Issue.record("wrong kinds")
      return
    }
    #expect(start.kind == .startSet)
    #expect(start.unixTime == 1_748_772_000.5)
    #expect(health.reading.heartRateBPM == 120)
    #expect(health.reading.unixTime == 1_748_772_000)
    #expect(change.phase == .rest && change.fromPhase == .execution)
    #expect(change.unixTime == 1_748_772_010)
  }

  @Test(arguments: [
    ("", DecodingFailure.Kind.empty), ("  \n", .empty), ("{\"a\":1}", .notAChunk),
    ("[1,2]", .notAChunk), ("[{}]", .notAChunk), ("{", .truncated), ("[1,]", .invalidJSON),
    ("{\"a\" 1}", .invalidJSON), ("[NaN]", .invalidJSON), ("nothing", .unknownFormat),
    ("\u{89}PNG", .unknownFormat), ("[\"a\u{0}\"]", .invalidJSON),
    ("{\"samples\":[{\"timestamp\":1e999,\"accelerationX\":1}]}", .noUsableSample),
    ("{\"samples\":[{\"accelerationX\":1}]}", .notAChunk), ("[{\"timestamp\":1}]", .noUsableSample),
    // Without a count, the message would revoke a correction.
    ("{\"type\":\"correctSet\",\"setId\":\"A\",\"reps\":\"8\"}", .notAChunk),
  ])
  func invalidInputsAreRejected(_ text: String, _ kind: DecodingFailure.Kind) {
    let failure = #expect(throws: DecodingFailure.self) {
      try RecordingDecoder.decode(Array(text.utf8))
    }
    #expect(failure?.kind == kind)
  }
}
