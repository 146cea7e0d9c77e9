import Motion
import SignalProcessing

extension RecordingWriter {
  /// Returns the rows to write, with exact repetitions if that fault is requested.
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

  /// Returns the columns of quantities, in order.
  private func columns(_ quantities: [MotionQuantity], of samples: MotionBatch) -> [[Double]] {
    quantities.flatMap(\.channels).filter { samples.has($0) }.map { samples[$0] }
  }

  /// Returns the attitude as quaternion columns w, x, y, z.
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

  static func nanoseconds(_ seconds: Double) -> String {
    // Exact to a microsecond, or to the resolution of a Double of this size.
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
