import Motion

extension RecordingWriter {
  /// Rows as some recorders write them: with exact repetitions, where that fault was asked for.
  private func rows(of made: SyntheticRecording) -> [Int] {
    let count = made.recording.samples.count
    guard made.options.faults.contains(.repeatedRows) else { return Array(0..<count) }
    var random = RandomSource(seed: made.options.seed, stream: 1000)
    var rows: [Int] = []
    for row in 0..<count {
      rows.append(row)
      if random.chance(0.02) { rows.append(row) }
    }
    return rows
  }

  /// The columns of quantities, in order.
  private func columns(
    _ quantities: [MotionQuantity], of samples: MotionBatch
  ) -> [[Double]] {
    quantities.flatMap(\.channels).filter { samples.has($0) }.map { samples[$0] }
  }

  /// Attitude as quaternion columns w, x, y, z.
  private func quaternions(of samples: MotionBatch) -> [[Double]] {
    var columns = [[Double]](repeating: [], count: 4)
    for row in 0..<samples.count {
      let q =
        Quaternion.aboutZ(samples[.yaw][row]) * .aboutX(samples[.pitch][row])
        * .aboutY(samples[.roll][row])
      for (index, value) in [q.w, q.x, q.y, q.z].enumerated() { columns[index].append(value) }
    }
    return columns
  }

  func csv(_ made: SyntheticRecording) -> RecordingFile {
    let samples = made.recording.samples
    var text = TextOutput()
    text.reserve(samples.count * 260)
    text.add(samples.channels.map(\.name).joined(separator: ",") + "\n")
    let table = samples.channels.map { samples[$0] }
    for row in rows(of: made) { text.addRow(table.map { $0[row] }) }
    return RecordingFile(relativePath: made.name + ".csv", bytes: text.bytes)
  }

  private static let wristColumns =
    ["rotationRate", "gravity", "acceleration"].flatMap { name in
      ["X", "Y", "Z"].map { name + $0 }
    } + ["W", "X", "Y", "Z"].map { "quaternion" + $0 }

  private func wristTable(_ samples: MotionBatch) -> [[Double]] {
    columns([.rotationRate, .gravity, .userAcceleration], of: samples) + quaternions(of: samples)
  }

  func sensorLogger(_ made: SyntheticRecording) -> RecordingFile {
    let samples = made.recording.samples
    let table = wristTable(samples)
    let offset = timeOffset(of: made)
    var text = TextOutput()
    text.add("timestamp," + Self.wristColumns.map { "wristMotion_" + $0 }.joined(separator: ","))
    text.add("\n")
    for row in rows(of: made) {
      text.addRow([samples.times[row] + offset] + table.map { $0[row] })
    }
    return RecordingFile(relativePath: made.name + ".csv", bytes: text.bytes)
  }

  func wristMotion(_ made: SyntheticRecording) -> RecordingFile {
    let samples = made.recording.samples
    let table = wristTable(samples)
    let offset = timeOffset(of: made)
    let first = samples.times.first ?? 0
    var text = TextOutput()
    text.add("time,seconds_elapsed," + Self.wristColumns.joined(separator: ",") + "\n")
    for row in rows(of: made) {
      text.add(Self.nanoseconds(samples.times[row] + offset) + ",")
      text.addRow([samples.times[row] - first] + table.map { $0[row] })
    }
    return RecordingFile(relativePath: made.name + ".csv", bytes: text.bytes)
  }

  private static func nanoseconds(_ seconds: Double) -> String {
    // Exact to a microsecond, as far as a Double of this size is.
    String(Int64((seconds * 1e6).rounded())) + "000"
  }

  func sensorLog(_ made: SyntheticRecording) -> RecordingFile {
    let samples = made.recording.samples
    let quaternion = quaternions(of: samples)
    let table =
      [samples[.yaw], samples[.roll], samples[.pitch]]
      + columns([.rotationRate, .userAcceleration], of: samples)
      + [quaternion[1], quaternion[2], quaternion[3], quaternion[0]]
      + columns([.gravity, .magneticField], of: samples)
    func axes(_ name: String, _ unit: String) -> [String] {
      ["X", "Y", "Z"].map { name + $0 + "(" + unit + ")" }
    }
    let names =
      ["loggingTime(txt)", "loggingSample(N)", "motionTimestamp_sinceReboot(s)", "motionYaw(rad)"]
      + ["motionRoll(rad)", "motionPitch(rad)"] + axes("motionRotationRate", "rad/s")
      + axes("motionUserAcceleration", "G") + axes("motionQuaternion", "R")
      + ["motionQuaternionW(R)"] + axes("motionGravity", "G")
      + (samples.has(.magneticField) ? axes("motionMagneticField", "µT") : [])
      + ["deviceOrientation(Z)", "batteryLevel(R)"]
    let offset = unixOffset(of: made)
    var text = TextOutput()
    text.add(names.joined(separator: ",") + "\n")
    for row in rows(of: made) {
      let time = samples.times[row]
      text.add(TextOutput.iso8601(unixTime: time + offset, milliseconds: true))
      text.add("+00:00,\(row + 1),")
      for value in [time] + table.map({ $0[row] }) {
        text.add(value)
        text.add(byte: UInt8(ascii: ","))
      }
      text.add("1,0.83\n")
    }
    return RecordingFile(relativePath: made.name + ".csv", bytes: text.bytes)
  }

  func metaMotion(_ made: SyntheticRecording) -> [RecordingFile] {
    let samples = made.recording.samples
    // This sensor reads what carries it: up at rest.
    let up = (0..<3).map { axis in
      zip(
        samples[MotionQuantity.gravity.channels[axis]],
        samples[MotionQuantity.userAcceleration.channels[axis]]
      ).map { -($0 + $1) }
    }
    let degrees = MotionQuantity.rotationRate.channels.map { channel in
      samples[channel].map { $0 * (180 / Double.pi) }
    }
    func file(
      _ sensor: String, _ hertz: Double, _ rate: String, _ unit: String, _ table: [[Double]]
    )
      -> RecordingFile
    {
      let offset = timeOffset(of: made)
      var text = TextOutput()
      let axes = ["x", "y", "z"].map { "\($0)-axis (\(unit))" }
      text.add((["epoch (ms),time (01:00),elapsed (s)"] + axes).joined(separator: ",") + "\n")
      for (index, row) in interpolated(table, at: samples.times, hertz: hertz).enumerated() {
        let unix = row.time + offset
        text.add(TextOutput.fixed(unix * 1000, decimals: 0) + ",")
        text.add(TextOutput.iso8601(unixTime: unix + 3600, milliseconds: true) + ",")
        text.add(TextOutput.fixed(Double(index) / hertz, decimals: 3))
        for value in row.values { text.add("," + TextOutput.fixed(value, decimals: 3)) }
        text.add("\n")
      }
      let path = "\(made.name)_\(sensor)_\(rate)Hz_1.4.4.csv"
      return RecordingFile(relativePath: path, bytes: text.bytes)
    }
    return [
      file("Accelerometer", 12.5, "12.500", "g", up),
      file("Gyroscope", 25, "25.000", "deg/s", degrees),
    ]
  }

  /// Columns at even times by linear interpolation; nothing inside gaps of half a second and more.
  private func interpolated(
    _ table: [[Double]], at times: [Double], hertz: Double
  ) -> [(time: Double, values: [Double])] {
    guard let first = times.first, let last = times.last else { return [] }
    var result: [(time: Double, values: [Double])] = []
    var row = 0
    for step in 0...Int((last - first) * hertz) {
      let time = first + Double(step) / hertz
      while row + 1 < times.count - 1 && times[row + 1] <= time { row += 1 }
      guard row + 1 < times.count, times[row + 1] - times[row] < 0.5 else { continue }
      let part = (time - times[row]) / (times[row + 1] - times[row])
      result.append((time, table.map { $0[row] + part * ($0[row + 1] - $0[row]) }))
    }
    return result
  }

  func headerless(_ made: SyntheticRecording) -> [RecordingFile] {
    let samples = made.recording.samples
    let offset = timeOffset(of: made)
    var text = TextOutput()
    for row in rows(of: made) {
      text.add(TextOutput.fixed((samples.times[row] + offset) * 1000, decimals: 0))
      for axis in 0..<3 {
        let total =
          samples[MotionQuantity.gravity.channels[axis]][row]
          + samples[MotionQuantity.userAcceleration.channels[axis]][row]
        text.add("," + TextOutput.fixed(-total * AccelerationUnit.standardGravity, decimals: 6))
      }
      for channel in MotionQuantity.rotationRate.channels {
        text.add("," + TextOutput.fixed(samples[channel][row], decimals: 6))
      }
      text.add("\n")
    }
    let columns = """
      {"header": false, "delimiter": ",",
       "time": {"column": 0, "unit": "ms"},
       "acceleration": {"columns": [1, 2, 3], "unit": "m/s2", "gravity": "included"},
       "rotation": {"columns": [4, 5, 6], "unit": "rad/s"}}

      """
    return [
      RecordingFile(relativePath: made.name + ".csv", bytes: text.bytes),
      RecordingFile(made.name + ".columns.json", text: columns),
    ]
  }
}
