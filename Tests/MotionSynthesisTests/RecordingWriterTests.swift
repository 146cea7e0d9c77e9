import Foundation
import Motion
import Testing

@testable import MotionSynthesis

@Suite("Written recordings")
struct RecordingWriterTests {
  static let made: SyntheticRecording? = try? RecordingSynthesizer(
    SynthesisOptions(seed: 21, name: "two sets", exercise: .row, sets: 2, reps: 5)
  ).make()

  static func text(_ file: RecordingFile) throws -> String {
    try #require(String(validating: file.bytes, as: UTF8.self))
  }

  static func json(_ bytes: some Sequence<UInt8>) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(bytes))
  }

  @Test("Every Double of the CSV reads back, bit for bit")
  func csvIsExact() throws {
    let made = try RecordingSynthesizer(SynthesisOptions(seed: 22, sets: 1, magneticField: true))
      .make()
    let files = RecordingWriter(format: .csv).files(of: made)
    let lines = try Self.text(files[0]).split(separator: "\n")
    let samples = made.recording.samples
    #expect(lines[0].split(separator: ",").map(String.init) == samples.channels.map(\.name))
    #expect(lines.count == samples.count + 1)
    for row in 0..<samples.count {
      let values = lines[row + 1].split(separator: ",").map { Double($0) }
      #expect(values == samples.channels.map { samples[$0][row] })
    }
  }

  /// A nested sample. `JSONDecoder` reads every Double exactly; `JSONSerialization` on Linux does not.
  struct NestedSample: Decodable {
    var timestamp: Double
    var acceleration: [String: Double]
    var rotation: [String: Double]
    var gravity: [String: Double]
    var attitude: [String: Double]
    var magneticField: [String: Double]?
  }

  struct Chunk<Sample: Decodable>: Decodable {
    var sessionId: UUID
    var exerciseId: UUID
    var setId: UUID
    var phase: String
    var samples: [Sample]
  }

  @Test("Flat chunks contain every sample once in order, bit for bit")
  func flatChunks() throws {
    let made = try #require(Self.made)
    let samples = made.recording.samples
    var row = 0
    for file in RecordingWriter(format: .chunks).files(of: made) {
      let chunk = try JSONDecoder().decode(Chunk<[String: Double]>.self, from: Data(file.bytes))
      #expect(["execution", "rest"].contains(chunk.phase))
      #expect((1...100).contains(chunk.samples.count))
      for sample in chunk.samples {
        var expected: [String: Double] = [:]
        for channel in samples.channels { expected[channel.name] = samples[channel][row] }
        #expect(sample == expected)
        row += 1
      }
    }
    #expect(row == samples.count)
  }

  @Test("Nested chunks contain every sample once in order, bit for bit")
  func nestedChunks() throws {
    let made = try #require(Self.made)
    let samples = made.recording.samples
    var row = 0
    for file in RecordingWriter(format: .nestedChunks).files(of: made) {
      let chunk = try JSONDecoder().decode(Chunk<NestedSample>.self, from: Data(file.bytes))
      for sample in chunk.samples {
        #expect(sample.timestamp == samples.times[row])
        #expect(sample.acceleration["x"] == samples[.userAccelerationX][row])
        #expect(sample.rotation["y"] == samples[.rotationRateY][row])
        #expect(sample.gravity["z"] == samples[.gravityZ][row])
        #expect(sample.attitude["yaw"] == samples[.yaw][row])
        #expect(sample.magneticField == nil)
        row += 1
      }
    }
    #expect(row == samples.count)
  }

  @Test("Watch app's files: arrays with sidecars and dates", arguments: DateEncoding.allCases)
  func watchApp(encoding: DateEncoding) throws {
    let made = try #require(Self.made)
    let files = RecordingWriter(format: .watchApp, dateEncoding: encoding).files(of: made)
    let first = try #require(made.recording.unixTimeOfFirstSample)
    var total = 0
    for pair in stride(from: 0, to: files.count, by: 2) {
      let path = files[pair].relativePath
      #expect(files[pair + 1].relativePath == path.dropLast(5) + ".metadata.json")
      let samples = try #require(try Self.json(files[pair].bytes) as? [[String: Any]])
      let sidecar = try #require(try Self.json(files[pair + 1].bytes) as? [String: Any])
      #expect(sidecar["count"] as? Int == samples.count)
      #expect(sidecar["type"] as? String == "sensorData")
      total += samples.count
      guard pair == 0 else { continue }
      let date: Double
      switch encoding {
      case .seconds1970: date = samples[0]["capturedAt"] as? Double ?? 0
      case .milliseconds1970: date = (samples[0]["capturedAt"] as? Double ?? 0) / 1000
      case .seconds2001: date = (samples[0]["capturedAt"] as? Double ?? 0) + 978_307_200
      case .iso8601:
        let formatter = ISO8601DateFormatter()
        let parsed = formatter.date(from: samples[0]["capturedAt"] as? String ?? "")
        date = (parsed?.timeIntervalSince1970 ?? 0) + (first - first.rounded(.down))
      }
      #expect(abs(date - first) < 1e-3)
      #expect(
        abs((samples[0]["attitudeRoll"] as? Double ?? .nan) - made.recording.samples[.roll][0])
          < 1e-14)
    }
    #expect(total == made.recording.samples.count)
  }

  @Test("The order of keys differs between the samples of an array")
  func randomKeys() throws {
    let made = try #require(Self.made)
    let text = try Self.text(RecordingWriter(format: .watchApp).files(of: made)[0])
    let firstKeys = Set(text.split(separator: "{").map { $0.prefix { $0 != ":" } })
    #expect(firstKeys.count > 5)
  }

  @Test("Messages are in the order of a workout")
  func messages() throws {
    let made = try #require(Self.made)
    let files = RecordingWriter(format: .ndjson).files(of: made)
    var kinds: [String] = []
    var chunkSets: [String] = []
    for line in try Self.text(files[0]).split(separator: "\n") {
      let object = try #require(try Self.json(Array(line.utf8)) as? [String: Any])
      let kind = object["type"] as? String ?? "chunk"
      if kind != "healthData" && kinds.last != kind { kinds.append(kind) }
      if kind == "chunk" { chunkSets.append(object["setId"] as? String ?? "") }
    }
    #expect(
      kinds == [
        "startWorkout", "startExercise", "chunk", "startSet", "updatePhase", "chunk",
        "updatePhase", "endSet", "chunk", "startSet", "updatePhase", "chunk", "updatePhase",
        "endSet", "chunk", "endExercise", "endWorkout",
      ])
    #expect(Set(chunkSets) == Set(made.truth.compactMap(\.identity.setId)))
  }

  @Test("Faults of the transport", arguments: TransportFault.allCases)
  func transport(fault: TransportFault) throws {
    let made = try #require(Self.made)
    let sent = made.chunks()
    let arrived = made.deliveries(faults: [fault])
    let numbers = arrived.map(\.number)
    switch fault {
    case .lost:
      #expect(arrived.count < sent.count)
      #expect(numbers == numbers.sorted())
    case .duplicated:
      #expect(arrived.count > sent.count)
      #expect(Set(numbers) == Set(sent.map(\.number)))
    case .late, .reordered:
      #expect(numbers != numbers.sorted())
      #expect(numbers.sorted() == sent.map(\.number))
    }
  }

  @Test("Labels locate the sets in the recording's own time")
  func labels() throws {
    let made = try #require(Self.made)
    for format in SyntheticFormat.allCases {
      let writer = RecordingWriter(format: format)
      var table = TruthTable()
      table.add(made, writer: writer)
      let lines = String(decoding: table.labels, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 3)
      for (set, line) in zip(made.truth, lines.dropFirst()) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        #expect(fields.count == TruthTable.labelColumns.count)
        #expect(fields[1] == "5" && fields[4] == "row")
        let pairs = fields[5].split(separator: ";").map { $0.split(separator: "-") }
        #expect(pairs.count == 5)
        #expect(pairs.first?.first == fields[2] && pairs.last?.last == fields[3])
        let start = try #require(Double(fields[2]))
        #expect(abs(start - (set.start + writer.timeOffset(of: made))) < 1e-4)
      }
      let reps = String(decoding: table.reps, as: UTF8.self).split(separator: "\n")
      #expect(reps.count == 11)
      #expect(reps[1].split(separator: ",").count == TruthTable.repColumns.count)
    }
  }

  @Test(
    "Times written agree with the labels' clock",
    arguments: [
      SyntheticFormat.csv, .sensorLogger, .wristMotion, .sensorLog, .headerless,
    ])
  func timeColumns(format: SyntheticFormat) throws {
    let made = try #require(Self.made)
    let writer = RecordingWriter(format: format)
    let lines = try Self.text(writer.files(of: made)[0]).split(separator: "\n")
    let row = try #require(lines.last).split(separator: ",")
    let (column, scale): (Int, Double) =
      switch format {
      case .wristMotion: (0, 1e-9)
      case .headerless: (0, 1e-3)
      case .sensorLog: (2, 1)
      default: (0, 1)
      }
    let written = try #require(Double(row[column])) * scale
    let last = try #require(made.recording.samples.times.last)
    #expect(abs(written - last - writer.timeOffset(of: made)) < 1e-3)
  }

  @Test("The pair of MetaMotion files has its rates and points up at rest")
  func metaMotion() throws {
    let made = try #require(Self.made)
    let files = RecordingWriter(format: .metaMotion).files(of: made)
    #expect(files.map { $0.relativePath.hasSuffix("Hz_1.4.4.csv") } == [true, true])
    let lines = try Self.text(files[0]).split(separator: "\n").dropFirst()
    let rows = lines.map { $0.split(separator: ",").map { Double($0) ?? .nan } }
    let duration = try #require(rows.last)[2]
    #expect(abs(Double(rows.count - 1) / duration - 12.5) < 0.01)
    let samples = made.recording.samples
    let first = try #require(rows.first)
    let up = -(samples[.gravityX][0] + samples[.userAccelerationX][0])
    #expect(abs(first[3] - up) < 0.001)
  }

  @Test("A sensor folder has one file per sensor, each with its own clock")
  func sensorFolder() throws {
    let made = try #require(Self.made)
    let files = RecordingWriter(format: .sensorFolder).files(of: made)
    let names = ["Accelerometer", "Gravity", "Gyroscope"]
    #expect(files.map(\.relativePath) == names.map { "\(made.name)/\($0).csv" })
    let elapsed = try files.map { file in
      let lines = try Self.text(file).split(separator: "\n")
      #expect(lines[0] == "time,seconds_elapsed,z,y,x")
      return Double(lines[1].split(separator: ",")[1])
    }
    #expect(Set(elapsed).count == 2)
    let gravity = try Self.text(files[1]).split(separator: "\n")[1].split(separator: ",")
    let length = gravity[2...].compactMap { Double($0) }.reduce(0) { $0 + $1 * $1 }.squareRoot()
    #expect(abs(length - 9.80665) < 0.01)
  }

  @Test("Numbers and dates as text")
  func formatting() {
    #expect(TextOutput.fixed(1.2345, decimals: 2) == "1.23")
    #expect(TextOutput.fixed(-0.0001, decimals: 3) == "0.000")
    #expect(TextOutput.fixed(-12.5, decimals: 0) == "-13")
    #expect(TextOutput.fixed(.infinity, decimals: 2) == "")
    let formatter = ISO8601DateFormatter()
    for time in stride(from: -2.0e9, to: 4.2e9, by: 12_345_678.5) {
      let expected = formatter.string(from: Date(timeIntervalSince1970: time.rounded(.down)))
      #expect(TextOutput.iso8601(unixTime: time) == expected)
    }
    var text = TextOutput()
    text.add(jsonString: "a\"b\\c\n\u{1}é")
    #expect(String(decoding: text.bytes, as: UTF8.self) == "\"a\\\"b\\\\c\\u000a\\u0001é\"")
    #expect(TextOutput.csvField("a,\"b\"") == "\"a,\"\"b\"\"\"")
  }

  @Test("The bytes are equal on every platform and permanent")
  func golden() throws {
    let made = try RecordingSynthesizer(
      SynthesisOptions(seed: 1, exercise: .curl, difficulty: .hard, sets: 1, faults: [.jitter])
    ).make()
    let bytes = RecordingWriter(format: .watchApp).files(of: made).flatMap { $0.bytes }
    // Changes with the model: update it deliberately, and document the change.
    #expect(FNV1a(bytes).value == 12_828_287_822_193_554_254)
  }
}
