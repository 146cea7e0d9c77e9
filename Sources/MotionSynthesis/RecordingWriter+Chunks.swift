import Motion

extension RecordingWriter {
  func chunkFiles(_ made: SyntheticRecording, nested: Bool) -> [RecordingFile] {
    made.deliveries(faults: transportFaults).enumerated().map { arrival, chunk in
      var text = TextOutput()
      addChunkObject(chunk, of: made, nested: nested, to: &text)
      text.add("\n")
      return RecordingFile(
        relativePath: made.name + "/" + fileName(arrival) + ".json", bytes: text.bytes)
    }
  }

  private func fileName(_ number: Int) -> String {
    let digits = String(number)
    return "chunk-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }

  /// Appends `{"sessionId": …, "samples": […], "metadata": {…}}`.
  func addChunkObject(
    _ chunk: ChunkDelivery, of made: SyntheticRecording, nested: Bool, to text: inout TextOutput
  ) {
    let samples = made.recording.samples
    text.add("{")
    addIdentity(ofSet: chunk.set, of: made, to: &text)
    text.add("\"phase\":\"\(chunk.phase.rawValue)\",\"samples\":[")
    for row in chunk.rows {
      if row > chunk.rows.lowerBound { text.add(",") }
      if nested {
        addNestedSample(row, of: samples, to: &text)
      } else {
        addFlatSample(row, of: samples, to: &text)
      }
    }
    text.add("],\"metadata\":{\"type\":\"sensorData\",\"count\":\(chunk.rows.count),")
    text.add("\"sampleCount\":\(chunk.rows.count),\"timestamp\":")
    addDate(samples.times[chunk.rows.lowerBound] + unixOffset(of: made), to: &text)
    text.add(",\"setOrder\":\(chunk.set + 1),\"exerciseIndex\":0}}")
  }

  /// Appends the three ids, each followed by a comma.
  func addIdentity(ofSet set: Int, of made: SyntheticRecording, to text: inout TextOutput) {
    let identity =
      made.truth.indices.contains(set) ? made.truth[set].identity : made.recording.identity
    for (key, value) in [
      ("sessionId", identity.sessionId), ("exerciseId", identity.exerciseId),
      ("setId", identity.setId),
    ] {
      guard let value else { continue }
      text.add("\"\(key)\":")
      text.add(jsonString: value)
      text.add(",")
    }
  }

  private func addFlatSample(_ row: Int, of samples: MotionBatch, to text: inout TextOutput) {
    for (index, channel) in samples.channels.enumerated() {
      text.add(index == 0 ? "{" : ",")
      text.add("\"\(channel.name)\":")
      text.add(samples[channel][row])
    }
    text.add("}")
  }

  private func addNestedSample(_ row: Int, of samples: MotionBatch, to text: inout TextOutput) {
    func object(_ name: String, _ quantity: MotionQuantity, _ keys: [String]) {
      text.add(",\"\(name)\":{")
      for (index, channel) in quantity.channels.enumerated() {
        if index > 0 { text.add(",") }
        text.add("\"\(keys[index])\":")
        text.add(samples[channel][row])
      }
      text.add("}")
    }
    let axes = ["x", "y", "z"]
    text.add("{\"timestamp\":")
    text.add(samples.times[row])
    object("acceleration", .userAcceleration, axes)
    object("rotation", .rotationRate, axes)
    object("gravity", .gravity, axes)
    object("attitude", .attitude, ["roll", "pitch", "yaw"])
    if samples.has(.magneticField) {
      object("magneticField", .magneticField, axes)
    } else {
      text.add(",\"magneticField\":null")
    }
    text.add("}")
  }

  /// Appends a date in the writer's encoding.
  func addDate(_ unixTime: Double, to text: inout TextOutput) {
    switch dateEncoding {
    case .seconds1970: text.add(unixTime)
    case .milliseconds1970: text.add(unixTime * 1000)
    case .seconds2001: text.add(unixTime - 978_307_200)
    case .iso8601: text.add(jsonString: TextOutput.iso8601(unixTime: unixTime))
    }
  }

  // MARK: The published watch app

  func watchAppFiles(_ made: SyntheticRecording) -> [RecordingFile] {
    var random = RandomSource(seed: made.options.seed, stream: 1002)
    return made.deliveries(faults: transportFaults).enumerated().flatMap { arrival, chunk in
      let path = made.name + "/" + fileName(arrival)
      return [
        RecordingFile(
          relativePath: path + ".json", bytes: bareArray(chunk, of: made, random: &random)),
        RecordingFile(
          relativePath: path + ".metadata.json", bytes: sidecar(chunk, of: made)),
      ]
    }
  }

  private func bareArray(
    _ chunk: ChunkDelivery, of made: SyntheticRecording, random: inout RandomSource
  ) -> [UInt8] {
    let samples = made.recording.samples
    let offset = unixOffset(of: made)
    var fields: [(key: String, values: [Double])] = []
    for channel in samples.channels where channel != .time {
      let isAttitude = channel.quantity == .attitude
      let name = channel.name
      let key = isAttitude ? "attitude" + name.prefix(1).uppercased() + name.dropFirst() : name
      fields.append((key, samples[channel]))
    }
    let hertz: Double
    switch made.options.rate {
    case .constant(let rate): hertz = rate
    case .phased(let execution, let rest): hertz = chunk.phase == .execution ? execution : rest
    }
    var text = TextOutput()
    text.reserve(chunk.rows.count * 450)
    text.add("[")
    for row in chunk.rows {
      text.add(row == chunk.rows.lowerBound ? "{" : ",{")
      // Swift's encoder varies the order of keys between objects.
      let order = Array(0..<(fields.count + 3)).shuffled(using: &random)
      for (position, field) in order.enumerated() {
        if position > 0 { text.add(",") }
        switch field {
        case fields.count:
          text.add("\"captureFrequency\":")
          text.add(hertz)
        case fields.count + 1: text.add("\"sampleCount\":\(chunk.rows.count)")
        case fields.count + 2:
          text.add("\"capturedAt\":")
          addDate(samples.times[row] + offset, to: &text)
        default:
          text.add("\"\(fields[field].key)\":")
          text.add(fields[field].values[row])
        }
      }
      text.add("}")
    }
    text.add("]")
    return text.bytes
  }

  private func sidecar(_ chunk: ChunkDelivery, of made: SyntheticRecording) -> [UInt8] {
    let samples = made.recording.samples
    var text = TextOutput()
    text.add("{\"type\":\"sensorData\",\"count\":\(chunk.rows.count),\"timestamp\":")
    // The transfer's own time: when the chunk was complete.
    text.add(samples.times[chunk.rows.upperBound - 1] + unixOffset(of: made))
    text.add(",\"phase\":\"\(chunk.phase.rawValue)\",")
    addIdentity(ofSet: chunk.set, of: made, to: &text)
    text.add("\"setOrder\":\(chunk.set + 1),\"exerciseIndex\":0}\n")
    return text.bytes
  }
}
