import Foundation
import RepTrace

/// The outcome of one recording of a batch, kept until the run ends.
struct BatchEntry: Codable {
  enum Status: String, Codable { case ok, failed, skipped }

  var name: String
  /// The recording's key; nil if it could not be read, so that a later run tries again.
  var key: String?
  var inputs: [BatchOutcome.Input]
  var status: Status
  /// The reason for a failure, or the warnings.
  var message: String
  var isMissing = false
  var warnings: Int
  var reps: Int
  var facts: RecordingFacts?
  var span: SensorFileSpan?
  var seconds: Double
  /// CSV lines of the recording's sets.
  var setRows: [String]
  var repRows: [String]
}

/// Outcomes of a batch in an append-only file with one line per recording. A killed run loses only the
/// recording in progress.
///
/// The first line identifies the run by version and options. Entries are reused only by an equal run. A lock
/// excludes other processes.
final class BatchJournal {
  static let fileName = "progress.ndjson"

  private struct Head: Codable {
    var run: String
  }

  private let handle: FileHandle
  private let path: String
  private var size: UInt64 = 0
  /// Byte ranges of the entries of finished recordings, by key.
  private var finished: [String: Range<UInt64>] = [:]
  /// Byte ranges of the entries of this run, in input order.
  private var order: [Range<UInt64>] = []

  /// Keys of the recordings that an earlier run finished.
  var finishedKeys: Set<String> { Set(finished.keys) }

  enum Failure: Error, CustomStringConvertible {
    case busy(String)

    var description: String {
      switch self {
      case .busy(let path): "\(path): another run is writing there"
      }
    }
  }

  /// Opens the journal of a folder.
  ///
  /// - Parameters:
  ///   - run: Identifies runs with equal version and options.
  ///   - resumes: True to reuse the entries of an equal run; false to start an empty journal.
  /// - Throws: ``Failure``, ``FileError``.
  init(folder: String, run: String, resumes: Bool) throws {
    path = folder + "/" + Self.fileName
    // Do not follow a link that another user may have planted.
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileError(path) }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Failure.busy(folder) }
    let head = try JSONEncoder.sorted.encode(Head(run: run)) + Data("\n".utf8)
    if resumes { try readEntries(after: head) }
    guard size == 0 else { return }
    try FileError.naming(path) {
      try handle.truncate(atOffset: 0)
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: head)
    }
    size = UInt64(head.count)
  }

  /// Reads the entries of an earlier run and truncates an incomplete last line.
  private func readEntries(after head: Data) throws {
    try handle.seek(toOffset: 0)
    guard try handle.read(upToCount: head.count) == head else { return }
    size = UInt64(head.count)
    var pending = Data()
    var offset = size
    while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
      pending += piece
      var start = pending.startIndex
      while let newline = pending[start...].firstIndex(of: 0x0A) {
        let length = UInt64(newline + 1 - start)
        if let entry = try? JSONDecoder.anyNumber.decode(
          BatchEntry.self, from: pending[start...newline]),
          entry.status == .ok, let key = entry.key
        {
          finished[key] = offset..<offset + length
        }
        offset += length
        start = newline + 1
      }
      pending = Data(pending[start...])
    }
    size = offset
    try handle.truncate(atOffset: size)
  }

  func append(_ entry: BatchEntry) throws {
    let line = try JSONEncoder.sorted.encode(entry) + Data("\n".utf8)
    try FileError.naming(path) {
      try handle.seek(toOffset: size)
      try handle.write(contentsOf: line)
    }
    order.append(size..<size + UInt64(line.count))
    size += UInt64(line.count)
  }

  /// Adds the entry of an earlier run to this one and returns it.
  func adopt(key: String) throws -> BatchEntry? {
    guard let range = finished[key] else { return nil }
    order.append(range)
    return try entry(at: range)
  }

  /// Calls a function with each entry of this run, in input order.
  func forEachEntry(_ body: (BatchEntry) throws -> Void) throws {
    for range in order { try body(try entry(at: range)) }
  }

  private func entry(at range: Range<UInt64>) throws -> BatchEntry {
    try FileError.naming(path) {
      try handle.seek(toOffset: range.lowerBound)
      let data = try handle.read(upToCount: range.count) ?? Data()
      return try JSONDecoder.anyNumber.decode(BatchEntry.self, from: data)
    }
  }
}

extension JSONEncoder {
  /// An encoder with deterministic output: equal values give equal bytes. Time spans may be infinite or NaN.
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }
}

extension JSONDecoder {
  /// A decoder for the output of ``JSONEncoder/sorted``.
  fileprivate static var anyNumber: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
