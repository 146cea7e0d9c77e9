import Motion

/// Formats with one file per sensor.
extension RecordingWriter {
  func metaMotion(_ made: SyntheticRecording) -> [RecordingFile] {
    let samples = made.recording.samples
    // This sensor measures the supporting force: up at rest.
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

  /// Resamples columns at even times by linear interpolation, with no rows in gaps of 0.5 s or more.
  private func interpolated(
    _ table: [[Double]], at times: [Double], hertz: Double, after delay: Double = 0
  ) -> [(time: Double, values: [Double])] {
    guard let begin = times.first, let last = times.last else { return [] }
    var result: [(time: Double, values: [Double])] = []
    let first = begin + delay
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

  /// Returns one file per sensor, with separate start times and rates as on a phone.
  func sensorFolder(_ made: SyntheticRecording) -> [RecordingFile] {
    let samples = made.recording.samples
    let first = samples.times.first ?? 0
    let unix = unixOffset(of: made)
    func file(
      _ sensor: String, _ quantity: MotionQuantity, scale: Double, hertz: Double, delay: Double
    ) -> RecordingFile {
      let table = quantity.channels.map { channel in samples[channel].map { $0 * scale } }
      var text = TextOutput()
      text.add("time,seconds_elapsed,z,y,x\n")
      for row in interpolated(table, at: samples.times, hertz: hertz, after: delay) {
        text.add(Self.nanoseconds(row.time + unix) + ",")
        text.addRow([row.time - first] + row.values.reversed())
      }
      return RecordingFile(relativePath: "\(made.name)/\(sensor).csv", bytes: text.bytes)
    }
    let gravity = AccelerationUnit.standardGravity
    return [
      file("Accelerometer", .userAcceleration, scale: gravity, hertz: 50, delay: 0.0031),
      file("Gravity", .gravity, scale: gravity, hertz: 50, delay: 0.0031),
      file("Gyroscope", .rotationRate, scale: 1, hertz: 25, delay: 0.0177),
    ]
  }
}
