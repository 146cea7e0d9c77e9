import ChunkDecoding
import Foundation
import Motion
import TestSupport
import Testing
import WorkoutHistory

@testable import MotionSynthesis
@testable import RecordingPipeline
@testable import TextFormats

/// Runs messages through stream engines with a store, and collects the events.
final class StreamTrial {
  private(set) var events: [StreamEvent] = []
  let store: HistoryStore
  private let folder: TemporaryFolder

  /// A new history, created once because there are many trials.
  private static let newHistory = Result {
    let folder = try TemporaryFolder()
    try HistoryStore(path: folder.path("s.sqlite"), mode: .create).close()
    return try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite"))
  }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try Self.newHistory.get(), to: "s.sqlite")
    store = try HistoryStore(path: folder.path("s.sqlite"), mode: .readWrite)
  }

  /// Runs all messages with a new history.
  convenience init(
    _ messages: [[UInt8]], cutAt places: [Int] = [], isClean: Bool = true,
    options: StreamOptions = StreamTrial.options, random: inout RandomSource
  ) throws {
    try self.init()
    try run(messages, cutAt: places, isClean: isClean, options: options, random: &random)
  }

  convenience init(
    _ messages: [[UInt8]], cutAt places: [Int] = [], isClean: Bool = true, seed: UInt64
  ) throws {
    var random = RandomSource(seed: seed)
    try self.init(messages, cutAt: places, isClean: isClean, random: &random)
  }

  deinit { try? store.close() }

  static var options: StreamOptions {
    var options = StreamOptions()
    options.keepsJournal = true
    return options
  }

  func engine(_ options: StreamOptions = StreamTrial.options) -> StreamEngine {
    StreamEngine(options: options, journal: store.journal)
  }

  /// Runs all messages, and the end of the input if `ends`, in batches of one size.
  func run(_ messages: [[UInt8]], batch size: Int, ends: Bool = true) throws {
    let engine = engine()
    for first in stride(from: 0, to: messages.count, by: size) {
      let batch = messages[first..<min(first + size, messages.count)]
      try take(try engine.process(StreamMessages.inputs(batch, firstNumber: first + 1)))
    }
    if ends { try finish(engine) }
  }

  /// Runs messages in batches of random sizes.
  func feed(
    _ messages: ArraySlice<[UInt8]>, to engine: StreamEngine, firstNumber: Int,
    random: inout RandomSource
  ) throws {
    var rest = messages
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...9, using: &random))
      let number = firstNumber + batch.startIndex - messages.startIndex
      try take(try engine.process(StreamMessages.inputs(batch, firstNumber: number)))
      rest = rest.dropFirst(batch.count)
    }
  }

  func recover(_ engine: StreamEngine) throws { try take(try engine.recover()) }

  func finish(_ engine: StreamEngine) throws {
    while let batch = try engine.finish(limit: 2) { try take(batch) }
  }

  private func take(_ batch: StreamBatch) throws {
    try store.journal.commit(batch.journal)
    events += batch.events
  }

  /// Returns the acknowledged lines, from an index of the events on.
  func acknowledgedLines(after count: Int = 0) -> [Int] {
    events[count...].compactMap { event in
      if case .ack = event.kind { event.line } else { nil }
    }
  }

  /// The last result announced for each set, as text.
  var finalAnswers: [String: String] {
    var answers: [String: String] = [:]
    for event in events {
      let key = "\(event.identity.setId ?? event.identity.sessionId ?? "") \(event.setNumber ?? 0)"
      switch event.kind {
      case .setEnded(let set), .setRevised(let set, _): answers[key] = "\(set)"
      case .setCancelled: answers[key] = nil
      default: break
      }
    }
    return answers
  }

  /// The events as lines, except those that announce a resumed set.
  var lines: [String] {
    events.filter { event in
      if case .setStarted(_, _, true) = event.kind { false } else { true }
    }.map(\.jsonLine)
  }

  /// Runs all messages, cut at the given places, with a new engine for each part.
  ///
  /// - Parameter isClean: Whether the input ends at a cut. Otherwise the engine is killed, and the next part
  ///   begins after the last acknowledged message.
  func run(
    _ messages: [[UInt8]], cutAt places: [Int] = [], isClean: Bool = true,
    options: StreamOptions = StreamTrial.options, random: inout RandomSource
  ) throws {
    var first = 0
    for place in places + [messages.count] {
      let engine = engine(options)
      try recover(engine)
      let before = events.count
      try feed(messages[first..<place], to: engine, firstNumber: first + 1, random: &random)
      if isClean || place == messages.count {
        try finish(engine)
        first = place
      } else {
        first = acknowledgedLines(after: before).max() ?? first
      }
    }
  }

  /// Returns the rows and samples of the store, without row ids.
  func contents() throws -> [String] {
    #expect(try store.journal.sets().isEmpty)
    #expect(try store.verify().isIntact)
    return try store.recordings().map { row in
      let recording = try store.recording(row.id)
      let sets = try store.sets(ofRecording: row.id).map { set in
        "\(set.key) \(set.detectedReps ?? -1) \(set.confidence ?? -1) \(set.clockStart ?? -1) "
          + "\(set.clockEnd ?? -1) \(set.cause) \(set.exerciseId ?? "")"
      }
      return "\(row.key) \(recording.samples.digest()) \(recording.phases) "
        + "\(row.sessionId ?? "") \(row.sampleCount) \(row.startTime?.timeIntervalSince1970 ?? -1) \(sets)"
    }.sorted()
  }
}

/// Synthetic sets as stream messages.
enum StreamMessages {
  static func recording(seed: UInt64, reps: Int = 5) throws -> Recording {
    var options = SynthesisOptions(seed: seed)
    options.sets = 1
    options.reps = reps
    options.restSeconds = 5
    options.rate = .watch
    return try RecordingSynthesizer(options).make().recording
  }

  /// Encodes a range of rows as a chunk in a binary frame.
  static func frame(
    _ recording: Recording, rows: Range<Int>, identity: SetIdentity, hasPhase: Bool = true
  ) throws -> [UInt8] {
    let phase = recording.phases.first { $0.rows.contains(rows.lowerBound) }?.phase
    return try #require(
      BinaryFrame.encode(
        DecodedChunk(
          identity: identity, phase: hasPhase ? phase : nil, samples: recording.samples[rows])))
  }

  /// Encodes rows, or all of them, as chunks of one size.
  static func frames(
    _ recording: Recording, rows: Range<Int>? = nil, size: Int, identity: SetIdentity,
    hasPhase: Bool = true
  ) throws -> [[UInt8]] {
    let rows = rows ?? 0..<recording.samples.count
    return try stride(from: rows.lowerBound, to: rows.upperBound, by: size).map {
      try frame(
        recording, rows: $0..<min($0 + size, rows.upperBound), identity: identity,
        hasPhase: hasPhase)
    }
  }

  /// Encodes all rows as chunks of random sizes.
  static func frames(_ recording: Recording, identity: SetIdentity, random: inout RandomSource)
    throws -> [[UInt8]]
  {
    try cuts(recording, random: &random).map { try frame(recording, rows: $0, identity: identity) }
  }

  static func input(_ number: Int, _ message: [UInt8]) -> StreamInput {
    StreamInput(number: number, content: message.first == 0x52 ? .frame(message) : .line(message))
  }

  static func inputs(_ messages: some Sequence<[UInt8]>, firstNumber: Int = 1) -> [StreamInput] {
    messages.enumerated().map { input(firstNumber + $0.offset, $0.element) }
  }

  /// Cuts rows at random places, and at the ends of phases.
  static func cuts(_ recording: Recording, random: inout RandomSource) -> [Range<Int>] {
    var cuts: [Range<Int>] = []
    for span in recording.phases {
      var row = span.rows.lowerBound
      while row < span.rows.upperBound {
        let end = min(span.rows.upperBound, row + Int.random(in: 1...160, using: &random))
        cuts.append(row..<end)
        row = end
      }
    }
    return cuts
  }

  static func control(_ type: String, _ identity: SetIdentity) -> [UInt8] {
    let object = JSONObjectText([
      "type": .text(type), "sessionId": .text(identity.sessionId),
      "exerciseId": .text(identity.exerciseId), "setId": .text(identity.setId),
    ])
    return Array(object.text.utf8)
  }

  /// Interleaves lists of messages at random; each list stays in order.
  static func interleaved(_ rows: [[[UInt8]]], random: inout RandomSource) -> [[UInt8]] {
    var rest = rows.map { $0[...] }
    var result: [[UInt8]] = []
    while let row = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &random) {
      result.append(rest[row].removeFirst())
    }
    return result
  }
}
