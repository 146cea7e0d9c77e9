import ChunkDecoding
import Motion

/// Splits the messages of a file into its declared sets and what lies between them.
package enum StreamParts {
  /// - Returns: the parts in order of time, and what reassembly noticed.
  package static func parts(
    of messages: [StreamMessage], name: String
  ) -> (parts: [LoadedRecording.Part], issues: [DecodingIssue]) {
    var context = SetContext()
    var order: [String] = []
    var groups: [String: Group] = [:]
    func withGroup(_ key: String, _ identity: SetIdentity, _ change: (inout Group) -> Void) {
      if groups[key] == nil {
        order.append(key)
        groups[key] = Group(identity: identity, isDeclaredSet: key.hasPrefix("set "))
      }
      if var group = groups[key] {
        change(&group)
        groups[key] = group
      }
    }

    for message in messages {
      switch message {
      case .control(let control):
        context.apply(control)
        if control.kind == .startSet {
          withGroup(context.key(for: control.identity), context.complete(control.identity)) { _ in }
        }
      case .chunk(var chunk):
        chunk.phase = context.phase(of: chunk)
        chunk.identity = context.complete(chunk.identity)
        withGroup(context.key(for: chunk.identity), chunk.identity) { $0.chunks.append(chunk) }
      case .health(let health):
        let identity = context.complete(health.identity)
        withGroup(context.key(for: identity), identity) { $0.health.append(health.reading) }
      }
    }

    var parts: [LoadedRecording.Part] = []
    var issues: [DecodingIssue] = []
    for key in order {
      guard let group = groups[key], group.isDeclaredSet || !group.chunks.isEmpty else { continue }
      var reassembler = ChunkReassembler()
      for chunk in group.chunks { reassembler.add(chunk) }
      for reading in group.health { reassembler.add(reading) }
      let reassembly = reassembler.assemble(name: name)
      var recording = reassembly.recording
      if recording.identity.setId == nil { recording.identity = group.identity }
      issues += reassembly.issues
      parts.append(
        .init(
          recording: recording, isDeclaredSet: group.isDeclaredSet,
          statistics: reassembly.statistics))
    }
    func firstTime(_ part: LoadedRecording.Part) -> Double {
      let samples = part.recording.samples
      return (samples.times.first ?? .infinity) / samples.units.time.unitsPerSecond
    }
    return (parts.sorted { firstTime($0) < firstTime($1) }, issues)
  }

  private struct Group {
    var identity: SetIdentity
    var isDeclaredSet: Bool
    var chunks: [DecodedChunk] = []
    var health: [HealthReading] = []
  }
}
