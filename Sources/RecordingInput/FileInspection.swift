import ChunkDecoding
import Motion
import TextFormats

/// The structure of a file as decoded, in words.
package enum FileInspection {
  /// - Throws: ``InputFailure`` if the file cannot be decoded.
  package static func decode(_ file: InputFile, options: LoadingOptions) throws -> [String] {
    let loader = RecordingLoader(options: options)
    let decoded = try loader.decodeFile(file)
    var lines = ["\(decoded.format.rawValue), \(decoded.sampleCount) samples"]
    for message in decoded.messages {
      switch message {
      case .chunk(let chunk): lines += self.lines(chunk)
      case .control(let control):
        lines.append("message \(control.kind.rawValue)" + text(control.identity))
      case .health(let health):
        lines.append("health reading at \(health.reading.unixTime)" + text(health.identity))
      }
    }
    lines += decoded.issues.map { "\($0.isWarning ? "warning" : "note"): \($0)" }
    return lines
  }

  /// Returns the recordings in files and folders, assembled like `process` does.
  package static func assemble(
    _ inputs: [ScannedInput], options: LoadingOptions
  ) async throws -> [String] {
    let loader = RecordingLoader(options: options)
    var lines: [String] = []
    for loaded in try await loader.plan(inputs).lazy.flatMap(loader.load) {
      switch loaded {
      case .failed(let failure): lines.append("\(failure)")
      case .skipped(let path): lines.append("\(path): no recording")
      case .recording(let recording):
        for part in recording.parts { lines += self.lines(part, of: recording.name) }
        lines += recording.warnings.map { "  warning: \($0)" }
      }
    }
    return lines
  }

  private static func lines(_ part: LoadedRecording.Part, of name: String) -> [String] {
    let samples = part.recording.samples
    var lines = self.lines(
      samples, "recording \(name): \(samples.count) samples" + text(part.recording.identity))
    let measured = Set(samples.channels)
    let added = samples.addingDerivedMotion().channels.filter { !measured.contains($0) }
    if !added.isEmpty {
      lines.append("  not measured, can be estimated: " + added.map(\.name).joined(separator: ", "))
    }
    if let unusual = part.statistics.unusual { lines.append("  note: \(unusual)") }
    return lines
  }

  private static func lines(_ chunk: DecodedChunk) -> [String] {
    var head = "chunk of \(chunk.samples.count) samples" + text(chunk.identity)
    if let phase = chunk.phase { head += ", phase \(phase.rawValue)" }
    return lines(chunk.samples, head)
  }

  private static func lines(_ samples: MotionBatch, _ head: String) -> [String] {
    var head = head
    guard let first = samples.times.first, let last = samples.times.last else { return [head] }
    let seconds = samples.units.time.unitsPerSecond
    head += ", \(samples.clock.name) clock \(first / seconds) to \(last / seconds) s"
    if samples.count > 1, last > first {
      let rate = Double(samples.count - 1) / ((last - first) / seconds)
      head += ", \(JSONObjectText.number(rate, decimals: 1)) Hz"
    }
    let quantities = MotionQuantity.allCases.filter { $0 != .time && samples.has($0) }
    let columns = quantities.map { quantity in
      let unit = samples.units.symbol(of: quantity)
      let isEstimated = quantity.channels.contains { samples.estimated.contains($0) }
      return "\(quantity)" + (unit.isEmpty ? "" : " in \(unit)")
        + (isEstimated ? " (estimated)" : "")
    }
    return [head, "  " + columns.joined(separator: ", ")]
  }

  private static func text(_ identity: SetIdentity) -> String {
    [
      identity.sessionId.map { ", session \($0)" }, identity.exerciseId.map { ", exercise \($0)" },
      identity.setId.map { ", set \($0)" },
    ].compactMap { $0 }.joined()
  }
}
