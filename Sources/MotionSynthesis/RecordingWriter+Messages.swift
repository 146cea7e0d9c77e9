import Motion

extension RecordingWriter {
  /// Returns the workout as the phone receives it: control messages, complete chunks, heart rate every 2 s.
  func ndjson(_ made: SyntheticRecording) -> RecordingFile {
    let samples = made.recording.samples
    let offset = unixOffset(of: made)
    let spans = made.recording.phases
    // Lines with their times of sending, sorted stably by time.
    var lines: [(time: Double, bytes: [UInt8])] = []

    func message(_ type: String, _ time: Double, set: Int, _ more: String = "") {
      var text = TextOutput()
      text.add("{\"type\":\"\(type)\",")
      addIdentity(ofSet: set, of: made, to: &text)
      text.add("\"timestamp\":")
      addDate(time + offset, to: &text)
      text.add(more + "}\n")
      lines.append((time, text.bytes))
    }

    let begin = samples.times.first ?? 0
    let end = samples.times.last ?? 0
    message("startWorkout", begin - 0.2, set: -1)
    message(
      "startExercise", begin - 0.1, set: -1, ",\"exerciseName\":\"\(made.exercise.rawValue)\"")

    var set = -1
    for (index, span) in spans.enumerated() where span.phase == .execution {
      set += 1
      let start = samples.times[span.rows.lowerBound]
      let stop = samples.times[span.rows.upperBound - 1]
      message("startSet", start - 0.01, set: set, ",\"setOrder\":\(set + 1)")
      if index > 0 {
        message("updatePhase", start - 0.005, set: set, ",\"phase\":\"execution\"")
      }
      message("updatePhase", stop + 0.004, set: set, ",\"phase\":\"rest\"")
      // The set's last chunk is sent at the end of its phase, before this.
      message("endSet", stop + 0.005, set: set)
    }

    // A chunk is sent when it is complete; transport faults change the order of arrival.
    let chunks = made.chunks()
    for (slot, chunk) in made.deliveries(faults: transportFaults).enumerated() {
      var text = TextOutput()
      addChunkObject(chunk, of: made, nested: false, to: &text)
      text.add("\n")
      let own = samples.times[chunk.rows.upperBound - 1]
      let expected = chunks[min(slot, chunks.count - 1)]
      let moved = samples.times[expected.rows.upperBound - 1]
      lines.append((transportFaults.isEmpty ? own : max(own, moved) + 0.001, text.bytes))
    }

    var random = RandomSource(seed: made.options.seed, stream: 1003)
    var heartRate = random.uniform(85...115)
    var calories = 0.0
    var time = begin + 1
    while time < end {
      let span = spans.first { samples.times[$0.rows.upperBound - 1] >= time }
      let phase = span?.phase ?? .rest
      heartRate += ((phase == .execution ? 150 : 100) - heartRate) * 0.05 + random.gaussian()
      calories += heartRate * 0.002
      var text = TextOutput()
      text.add("{\"type\":\"healthData\",\"heartRate\":")
      text.add(heartRate.rounded())
      text.add(",\"calories\":")
      text.add((calories * 100).rounded() / 100)
      text.add(",\"timestamp\":")
      addDate(time + offset, to: &text)
      text.add(",\"phase\":\"\(phase.rawValue)\"}\n")
      lines.append((time, text.bytes))
      time += 2
    }
    // Late chunks arrive before the workout ends.
    let last = max(end, lines.map(\.time).max() ?? end)
    message("endExercise", last + 0.2, set: -1)
    message("endWorkout", last + 0.3, set: -1)

    let order = lines.indices.sorted { (lines[$0].time, $0) < (lines[$1].time, $1) }
    return RecordingFile(
      relativePath: made.name + ".ndjson", bytes: order.flatMap { lines[$0].bytes })
  }
}
