import Motion
import MotionSynthesis
import Testing

@testable import ChunkDecoding

@Suite struct CSVTests {
  private func decode(
    _ text: String, _ fileName: String = "x.csv", columns: String? = nil
  ) throws -> DecodedFile {
    var options = DecodingOptions()
    if let columns {
      options.columns = try Array(columns.utf8).withUnsafeBytes {
        (bytes) throws(DecodingFailure) in try ColumnDescription(json: bytes)
      }
    }
    return try RecordingDecoder.decode(Array(text.utf8), fileName: fileName, options: options)
  }

  @Test func seedNames() throws {
    let file = try decode(
      """
      timestamp,accelerationX,accelerationY,accelerationZ,rotationX,rotationY,rotationZ,gravityX,gravityY,gravityZ,roll,pitch,yaw
      0.0,-0.109,-0.206,0.045,0.337,1.816,-0.135,0.488,0.871,0.040,1.1,-1.2,0.3
      0.01,-0.110,-0.207,0.046,0.338,1.817,-0.136,0.489,0.872,0.041,1.2,-1.3,0.4
      """)
    #expect(file.format == .csv)
    let batch = try #require(file.chunks.first).samples
    #expect(batch.times == [0, 0.01])
    #expect(batch.units == .standard)
    #expect(batch[.userAccelerationX] == [-0.109, -0.110])
    #expect(batch[.yaw] == [0.3, 0.4])
  }

  @Test func sensorLoggerMergedWithQuaternion() throws {
    let file = try decode(
      """
      timestamp,wristMotion_rotationRateX,wristMotion_rotationRateY,wristMotion_rotationRateZ,\
      wristMotion_gravityX,wristMotion_gravityY,wristMotion_gravityZ,wristMotion_accelerationX,\
      wristMotion_accelerationY,wristMotion_accelerationZ,wristMotion_quaternionW,\
      wristMotion_quaternionX,wristMotion_quaternionY,wristMotion_quaternionZ
      0.22,,,,,,,,,,,,,
      0.24,-0.162632,0.079923,0.192949,0.181307,-0.176913,-0.967383,0.009885,0.00069,-0.022867,0.991812,0.089187,0.091402,0.0
      """)
    #expect(file.issues.filter(\.isWarning).isEmpty)
    let batch = try #require(file.chunks.first).samples
    #expect(batch.times == [0.24])
    #expect(batch[.quaternionW] == [0.991812])
    #expect(batch[.rotationRateX] == [-0.162632])
    #expect(batch.has(.userAcceleration) && batch.has(.gravity))
  }

  @Test func columnDescriptionWithoutHeader() throws {
    let file = try decode(
      "1635147379331,2.2539,2.8145,9.7344,0.0587,-0.1104,-0.0956\n"
        + "1635147379342,2.8477,3.2676,9.3438,0.0545,0.0407,-0.0456\n",
      columns: """
        {"header": false, "delimiter": ",", "time": {"column": 0, "unit": "ms"},
         "acceleration": {"columns": [1, 2, 3], "unit": "m/s2", "gravity": "included"},
         "rotation": {"columns": [4, 5, 6], "unit": "rad/s"}}
        """)
    let chunk = try #require(file.chunks.first)
    #expect(chunk.samples.count == 2)
    #expect(chunk.samples.units.time == .milliseconds)
    #expect(chunk.samples.units.totalAcceleration == .metersPerSecondSquared)
    #expect(chunk.samples[.totalAccelerationZ] == [9.7344, 9.3438])
    #expect(chunk.samples.clock == .unix)
    #expect(chunk.unixTimeOfFirstSample == 1_635_147_379.331)
  }

  @Test func invalidRowsAreDroppedAndReported() throws {
    let file = try decode(
      "\u{FEFF}\"yaw\";timestamp;note;accelerationX;rotationX\r\n"
        + "1;0.00;\"a;\"\"b\";0.5;1\r\n"
        + "1;0.02;c;NaN;1\r\n"
        + "1;0.04;c;;1\r\n"
        + "\r\n"
        + "1;0.06;c;inf;1\r\n"
        + "1;0.08;c;abc;1\r\n"
        + "1;0.10;c\r\n"
        + "1;\"0.12\";c; 0.25 ;1\r\n"
        + "1;0.14;c;0.")
    let batch = try #require(file.chunks.first).samples
    #expect(batch.times == [0, 0.04, 0.12])
    #expect(batch[.userAccelerationX][0] == 0.5)
    #expect(batch[.userAccelerationX][1].isNaN)
    #expect(batch[.userAccelerationX][2] == 0.25)
    let dropped = try #require(file.issues.first { $0.kind == .droppedSamples })
    #expect(dropped.count == 4)
    #expect(dropped.line == 3)
    #expect(file.issues.contains { $0.kind == .truncated && $0.line == 10 })
  }

  /// In unused columns, only a quote at the start of a cell can enclose line ends.
  @Test func quoteWithinACellIsACharacter() throws {
    let file = try decode(
      "timestamp,accelerationX,note\n0,1,12\" bar\n1,2,a\n2,3,\"a\nb\"\n3,4,\"\"\"\n\"\n4,5,\"\n")
    #expect(file.chunks.first?.samples.times == [0, 1, 2, 3, 4])
  }

  /// Decodes a thousand rows with text in the last column, or in one after those of the header.
  private func notes(_ header: String, halves: Set<Int> = []) throws -> DecodedFile {
    let rows = (0..<1000).map { "\($0),1,\(halves.contains($0) ? "\"half" : "x")\n" }
    return try decode("timestamp,accelerationX\(header)\n" + rows.joined())
  }

  @Test(arguments: [",note", ""]) func unclosedQuoteIsACharacter(_ header: String) throws {
    let file = try notes(header, halves: [500])
    #expect(file.sampleCount == 1000)
    #expect(file.issues.isEmpty)
    // Two unclosed quotes cannot be distinguished from a text of many lines.
    let two = try notes(header, halves: [100, 900])
    #expect(two.issues.map(\.line) == [102])
    #expect(two.issues.first?.message.contains("801 lines") == true)
  }

  @Test func quoteWithinANameIsACharacter() throws {
    let file = try notes(",Bar 12\" x")
    #expect(file.sampleCount == 1000)
    let padded = try decode("timestamp, \"accelerationX\",\"a\"\";;b,c\"\n0, 1,x\n")
    #expect(padded.sampleCount == 1)
  }

  @Test func decimalCommas() throws {
    let file = try decode("timestamp;accelerationX\n0,5;-0,25\n0,75;1\n1,0,0;2\n")
    let batch = try #require(file.chunks.first).samples
    #expect(batch.times == [0.5, 0.75])
    #expect(batch[.userAccelerationX] == [-0.25, 1])
    #expect(file.issues.map(\.count) == [1])
  }

  @Test(arguments: [
    ("a,b,c\n1,2,3\n", DecodingFailure.Kind.unknownColumns),
    ("1,2,3\n4,5,6\n", .unknownColumns),
    ("timestamp,accelerationX\nNaN,1\n", .noUsableSample),
    ("timestamp,accelerationX\n", .noUsableSample),
  ])
  func invalidFilesAreRejected(_ text: String, _ kind: DecodingFailure.Kind) {
    let failure = #expect(throws: DecodingFailure.self) { try decode(text) }
    #expect(failure?.kind == kind)
  }

  // MARK: - Times

  /// Returns rows of a time column in some unit at `rate`, with one measurement each.
  private func rows(
    count: Int, rate: Double, from start: Double = 0, unit: Double = 1, whole: Bool = false,
    shuffled: Bool = false, name: String = "timestamp"
  ) -> String {
    var lines = (0..<count).map { row in
      let time = (start + Double(row) / rate) * unit
      let text =
        whole || unit > 1
        ? "\(Int64(whole ? (time / unit).rounded(.down) * unit : time))" : "\(time)"
      return "\(text),\(Double(row % 7) / 10)"
    }
    if shuffled {
      var generator = RandomSource(seed: 4)
      lines.shuffle(using: &generator)
    }
    return "\(name),accelerationX\n" + lines.map { $0 + "\n" }.joined()
  }

  @Test(arguments: [(0.0, 1.0), (1_700_000_000, 1), (1_700_000_000, 1000), (7, 1000)])
  func wholeSecondsAreRebuilt(_ start: Double, _ unit: Double) throws {
    let file = try decode(
      rows(
        count: 500, rate: 50, from: start, unit: unit, whole: true,
        name: unit == 1 ? "timestamp" : "timestamp (ms)"))
    let chunk = try #require(file.chunks.first)
    #expect(chunk.samples.count == 500)
    for (row, time) in chunk.samples.times.enumerated() {
      let seconds = time / chunk.samples.units.time.unitsPerSecond
      #expect(abs(seconds - start - Double(row) / 50) < 0.06)
    }
    #expect(file.issues.map(\.kind) == [.assumption])
    #expect(chunk.samples.clock == (start > 1e9 ? .unix : .device))
  }

  @Test func distinctWholeSecondsAreKept() throws {
    let file = try decode("timestamp (s),accelerationX\n0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n")
    #expect(file.chunks.first?.samples.times == [0, 1, 2, 3, 4, 5])
    #expect(file.issues.isEmpty)
  }

  @Test(arguments: [
    (TimeUnit.seconds, 0.0), (.milliseconds, 0), (.microseconds, 0), (.nanoseconds, 0),
    // Nanoseconds since the device booted, as in Android.
    (.nanoseconds, 361_184), (.seconds, 1_700_000_000), (.milliseconds, 1_700_000_000),
    (.microseconds, 1_700_000_000), (.nanoseconds, 1_700_000_000),
  ])
  func timeUnitGivesAPlausibleRate(_ unit: TimeUnit, _ start: Double) throws {
    for rate in [20.0, 50, 104] {
      for shuffled in [false, true] {
        let file = try decode(
          rows(
            count: 300, rate: rate, from: start, unit: unit.unitsPerSecond, shuffled: shuffled))
        let samples = try #require(file.chunks.first).samples
        #expect(samples.units.time == unit, "\(rate) Hz, shuffled: \(shuffled)")
        #expect(samples.clock == (start > 1e9 ? .unix : .device))
      }
    }
  }

  @Test func truncatedLastValueIsReported() throws {
    let text = "timestamp,accelerationX\n0,1\n0.02,1.25"
    let cut = try decode(text)
    #expect(cut.chunks.first?.samples.count == 2)
    #expect(cut.issues.map(\.line) == [3])
    #expect(cut.issues.allSatisfy { !$0.isWarning && $0.message.contains("may be cut off") })
    #expect(try decode(text + "\n").issues.isEmpty)
    // A value before the end is complete.
    #expect(try decode("timestamp,accelerationX,note\n0,1,a\n0.02,1.25,").issues.isEmpty)
  }
}
