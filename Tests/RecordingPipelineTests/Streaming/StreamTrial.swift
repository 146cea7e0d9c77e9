import ChunkDecoding
import Foundation
import Motion
import Testing
import WorkoutHistory

@testable import MotionSynthesis
@testable import RecordingPipeline
@testable import TextFormats

/// Runs messages through a stream engine with a store, and collects the events.
struct StreamTrial {
  var events: [StreamEvent] = []
  let store: HistoryStore
  private let folder: URL

  /// A new history, made once: trials are many.
  private static let newHistory = Result {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("s.sqlite")
    try HistoryStore(path: file.path, mode: .create).close()
    return try Data(contentsOf: file)
  }

  init() throws {
    folder = try Self.makeFolder()
    let file = folder.appendingPathComponent("s.sqlite")
    try Self.newHistory.get().write(to: file)
    store = try HistoryStore(path: file.path, mode: .readWrite)
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reptrace-stream-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  func remove() {
    try? store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  static var options: StreamOptions {
    var options = StreamOptions()
    options.keepsJournal = true
    return options
  }

  /// Runs all messages and the end of the input, in batches of random sizes.
  mutating func run(
    _ messages: [[UInt8]], options: StreamOptions = Self.options,
    random: inout RandomSource
  ) throws {
    let engine = StreamEngine(options: options, journal: store.journal)
    try feed(messages[...], to: engine, firstNumber: 1, random: &random)
    try finish(engine)
  }

  /// Runs all messages and the end of the input, in batches of one size.
  mutating func run(_ messages: [[UInt8]], batch size: Int, options: StreamOptions = Self.options)
    throws
  {
    let engine = StreamEngine(options: options, journal: store.journal)
    for first in stride(from: 0, to: messages.count, by: size) {
      try take(
        try engine.process(
          messages[first..<min(first + size, messages.count)].enumerated().map {
            StreamInput(
              number: first + $0.offset + 1,
              content: $0.element.first == 0x52 ? .frame($0.element) : .line($0.element))
          }))
    }
    try finish(engine)
  }

  mutating func feed(
    _ messages: ArraySlice<[UInt8]>, to engine: StreamEngine, firstNumber: Int,
    random: inout RandomSource
  ) throws {
    var rest = messages
    var number = firstNumber
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...9, using: &random)).map { bytes in
        defer { number += 1 }
        return StreamInput(
          number: number, content: bytes.first == 0x52 ? .frame(bytes) : .line(bytes))
      }
      try take(try engine.process(batch))
      rest = rest.dropFirst(batch.count)
    }
  }

  mutating func recover(_ engine: StreamEngine) throws { try take(try engine.recover()) }

  mutating func finish(_ engine: StreamEngine) throws {
    while let batch = try engine.finish(limit: 2) { try take(batch) }
  }

  private mutating func take(_ batch: StreamBatch) throws {
    try store.journal.commit(batch.journal)
    events += batch.events
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

  /// The events as lines, without those that announce a resumed set.
  var lines: [String] {
    events.filter { event in
      if case .setStarted(_, _, true) = event.kind { false } else { true }
    }.map(\.jsonLine)
  }

  /// Runs all messages, cut at the given places, with a new engine for each part.
  ///
  /// - Parameter isClean: Whether the input ends at a cut. Otherwise the engine is killed, and the next part
  ///   begins after the last acknowledged message.
  mutating func run(
    _ messages: [[UInt8]], cutAt places: [Int], isClean: Bool,
    options: StreamOptions = Self.options,
    random: inout RandomSource
  ) throws {
    var first = 0
    for place in places + [messages.count] {
      let engine = StreamEngine(options: options, journal: store.journal)
      try recover(engine)
      let before = events.count
      try feed(messages[first..<place], to: engine, firstNumber: first + 1, random: &random)
      if isClean || place == messages.count {
        try finish(engine)
        first = place
      } else {
        first =
          events[before...].compactMap { event in
            if case .ack = event.kind { event.line } else { nil }
          }.max() ?? first
      }
    }
  }

  /// The rows and samples of the store, without row ids.
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

  /// Encodes some rows as a chunk in a binary frame.
  static func frame(
    _ recording: Recording, rows: Range<Int>, identity: SetIdentity, hasPhase: Bool = true
  ) throws -> [UInt8] {
    let phase = recording.phases.first { $0.rows.contains(rows.lowerBound) }?.phase
    return try #require(
      BinaryFrame.encode(
        DecodedChunk(
          identity: identity, phase: hasPhase ? phase : nil, samples: recording.samples[rows])))
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
    var object = JSONObjectText()
    object.add("type", type)
    if let id = identity.sessionId { object.add("sessionId", id) }
    if let id = identity.exerciseId { object.add("exerciseId", id) }
    if let id = identity.setId { object.add("setId", id) }
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
