import Foundation
import RepTrace

/// What became of one recording of a batch, as it is kept until the run ends.
struct BatchEntry: Codable {
  enum Status: String, Codable { case ok, failed, skipped }

  var name: String
  /// nil where the recording could not be read: a later run tries again.
  var key: String?
  var inputs: [BatchOutcome.Input]
  var status: Status
  /// Why it failed, or its warnings.
  var message: String
  var isMissing = false
  var warnings: Int
  var reps: Int
  var facts: RecordingFacts?
  var span: SensorFileSpan?
  var seconds: Double
  /// Lines of CSV.
  var setRows: [String]
  var repRows: [String]
}

/// The entries of a batch in a file that grows by one line at a time, so that a run that is killed
/// loses only what it was counting.
///
/// The first line tells the run: version, options. Only entries of the same run are taken over. One
/// process at a time writes it.
final class BatchJournal {
  static let fileName = "progress.ndjson"

  private struct Head: Codable {
    var run: String
  }

  private let handle: FileHandle
  private let path: String
  private var size: UInt64 = 0
  /// Where the entries of finished recordings are, by key.
  private var finished: [String: Range<UInt64>] = [:]
  /// Where the entries of this run are, in order of the inputs.
  private var order: [Range<UInt64>] = []

  /// The keys that an earlier run finished.
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
  ///   - run: what tells this run from others.
  ///   - resumes: whether entries of an equal run are taken over; else the journal begins anew.
  /// - Throws: ``Failure``, ``FileError``.
  init(folder: String, run: String, resumes: Bool) throws {
    path = folder + "/" + Self.fileName
    // Not through a link: somebody else may have put it there.
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

  /// Takes over the entries of an earlier run, and cuts off what a kill left half-written.
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

  /// Adds an entry behind those of this run.
  func append(_ entry: BatchEntry) throws {
    let line = try JSONEncoder.sorted.encode(entry) + Data("\n".utf8)
    try FileError.naming(path) {
      try handle.seek(toOffset: size)
      try handle.write(contentsOf: line)
    }
    order.append(size..<size + UInt64(line.count))
    size += UInt64(line.count)
  }

  /// Puts the entry of an earlier run behind those of this one, and returns it.
  func adopt(key: String) throws -> BatchEntry? {
    guard let range = finished[key] else { return nil }
    order.append(range)
    return try entry(at: range)
  }

  /// The entries of this run in order of the inputs, one at a time.
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
  /// Equal values give equal bytes. Times in a recording may be as far apart as no number tells.
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }
}

extension JSONDecoder {
  /// For what ``JSONEncoder/sorted`` wrote.
  fileprivate static var anyNumber: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
