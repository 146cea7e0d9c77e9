import ChunkDecoding
import Motion

/// Splits the messages of a file into its declared sets and the samples between them.
package enum StreamParts {
  /// - Returns: The parts in chronological order, and issues from reassembly.
  package static func parts(
    of messages: [StreamMessage], name: String
  ) -> (parts: [LoadedRecording.Part], issues: [DecodingIssue]) {
    let sessions = sessions(in: messages)
    var context = SetContext()
    var order: [StreamKey] = []
    var groups: [StreamKey: Group] = [:]
    func withGroup(_ own: SetIdentity, _ change: (inout Group) -> Void) {
      let identity = context.complete(own)
      let key = context.key(for: identity, session: sessions.session(of: identity))
      if groups[key] == nil { order.append(key) }
      change(&groups[key, default: Group(identity: identity, isDeclaredSet: key.isDeclaredSet)])
    }

    for message in messages {
      switch message {
      case .control(let control):
        context.apply(control)
        if control.kind == .startSet { withGroup(control.identity) { _ in } }
      case .chunk(var chunk):
        chunk.phase = context.phase(of: chunk)
        chunk.identity = context.complete(chunk.identity)
        withGroup(chunk.identity) { $0.chunks.append(chunk) }
      case .health(let health): withGroup(health.identity) { $0.health.append(health.reading) }
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

  /// Returns the sessions of all messages, so that the messages' order does not matter.
  private static func sessions(in messages: [StreamMessage]) -> SessionsOfSets {
    var sessions = SessionsOfSets()
    var context = SetContext()
    for message in messages {
      switch message {
      case .control(let control):
        context.apply(control)
        if control.kind == .startSet { sessions.insert(context.complete(control.identity)) }
      case .chunk(let chunk): sessions.insert(context.complete(chunk.identity))
      case .health(let health): sessions.insert(context.complete(health.identity))
      }
    }
    return sessions
  }

  private struct Group {
    var identity: SetIdentity
    var isDeclaredSet: Bool
    var chunks: [DecodedChunk] = []
    var health: [HealthReading] = []
  }
}
