import ArgumentParser
import Foundation
import RepTrace

struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Prints the structure of a chunk file, a recording or a stored timeline.",
    discussion: """
      For a file: its chunks and messages, then the recordings that they make when put together, \
      what was unusual about them, and which quantities that were not measured can be estimated. \
      For a folder: the recordings in it.

      Example:
        reptrace inspect history.sqlite#1
      """)

  @Argument(
    help: "A file, a folder, a timeline blob, or a stored set: STORE.sqlite#SET.",
    completion: .file())
  var input: String

  @OptionGroup(visibility: .hidden) var reading: InputOptions

  @OptionGroup(visibility: .hidden) var timeless: TimelessOptions

  func run() async throws {
    var writer = LineWriter()
    var damaged = false
    if let stored = try StoredSetReference.resolve(input) {
      for row in stored.sets {
        let bytes = try HistoryOpening.reading {
          try stored.history.timelineBytes(ofSet: row.id)
        }
        try writer.write("set \(row.shortID) (\(row.key))")
        damaged = try !inspect(timeline: bytes, &writer) || damaged
      }
    } else {
      damaged = try await !inspectFile(&writer)
    }
    try writer.flush()
    if damaged { throw ExitStatus.someInputsFailed }
  }

  /// Prints a file's structure; returns true if it is intact.
  private func inspectFile(_ writer: inout LineWriter) async throws -> Bool {
    let scanned = InputScanner.scan([input])
    var file: InputFile?
    switch scanned.first?.kind {
    case .file: file = scanned.first?.files.first
    case .folder: break
    case .unreadable(let reason): throw ExitStatus.noInputDecoded.noting("\(input): \(reason)")
    case .missing, nil: throw ExitStatus.noInputExists.noting("\(input): no such file")
    }
    let head =
      file == nil || input == "-"
      ? nil : FileHandle(forReadingAtPath: input).flatMap { try? $0.read(upToCount: 8) }
    if let head, TimelineBlob.isTimeline([UInt8](head)) {
      let data = try Data(contentsOf: URL(fileURLWithPath: input))
      return try inspect(timeline: [UInt8](data), &writer)
    }
    do {
      let options = timeless.applied(to: try reading.loadingOptions())
      var lines = try file.map { try FileInspection.decode($0, options: options) } ?? []
      lines += try await FileInspection.assemble(scanned, options: options)
      for line in lines { try writer.write(line) }
      return true
    } catch let failure as InputFailure {
      throw ExitStatus.noInputDecoded.noting("\(failure)")
    }
  }

  // MARK: Timelines

  /// Prints a timeline's structure; returns true if it is intact.
  private func inspect(timeline bytes: [UInt8], _ writer: inout LineWriter) throws -> Bool {
    guard let structure = try? TimelineBlob(bytes).inspect() else {
      try writer.write("timeline, \(bytes.count) bytes, whose structure cannot be read")
      try writeRecovery(of: bytes, &writer)
      return false
    }
    var facts =
      "timeline \(structure.version.major).\(structure.version.minor), "
      + "\(structure.byteCount) bytes"
    if let samples = structure.sampleCount, let precision = structure.precision {
      facts += ", \(samples) samples, \(precision == .lossless ? "lossless" : "bounded")"
    }
    if let bytes = structure.bytesPerSample { facts += ", \(decimal(bytes, 2)) bytes a sample" }
    try writer.write(facts)
    var sections = TextTable([
      .init("section"), .init("offset", .right), .init("bytes", .right), .init("CRC-32C"),
      .init("state"),
    ])
    for section in structure.sections {
      sections.add([
        section.type.name, String(section.offset), String(section.byteCount),
        String(format: "%08x", section.checksum), section.error.map { "\($0)" } ?? "intact",
      ])
    }
    for line in sections.lines(width: StandardStreams.terminalWidth) { try writer.write(line) }
    let isDamaged = structure.sections.contains { $0.error != nil }
    if isDamaged { try writeRecovery(of: bytes, &writer) }
    if let samples = structure.sampleCount, samples > 0 {
      try writeColumns(structure, samples: samples, &writer)
    }
    return !isDamaged
  }

  /// Prints the damage of a timeline and the recoverable data.
  private func writeRecovery(of bytes: [UInt8], _ writer: inout LineWriter) throws {
    let recovery = TimelineDecoder(limits: .reading(bytes.count)).recover(bytes)
    for damage in recovery.damage {
      let rows = damage.rows.map { " (rows \($0.lowerBound) to \($0.upperBound - 1))" } ?? ""
      try writer.write("damage: \(damage.error)\(rows)")
    }
    let timeline = recovery.timeline
    let stored = recovery.storedSampleCount.map { " of \($0)" } ?? ""
    var facts = "can be recovered: \(timeline.samples.count)\(stored) samples"
    if let set = timeline.set { facts += ", a set of \(counted(set.reps.count, "rep"))" }
    if !timeline.health.isEmpty { facts += ", \(timeline.health.count) health readings" }
    try writer.write(facts)
  }

  private func writeColumns(
    _ structure: TimelineInspection, samples: Int, _ writer: inout LineWriter
  ) throws {
    try writer.write("")
    var columns = TextTable([
      .init("column"), .init("bytes", .right), .init("bytes a sample", .right),
      .init("codec (blocks)", shrinks: true),
    ])
    for column in structure.columns {
      let codecs = column.blocksPerCodec.sorted { $0.key < $1.key }.map { id, blocks in
        "\(ColumnCodec(rawValue: id)?.name ?? "codec \(id)") (\(blocks))"
      }
      columns.add([
        (column.channel?.name ?? "channel \(column.id)") + (column.isEstimated ? " *" : ""),
        String(column.byteCount), decimal(Double(column.byteCount) / Double(samples), 2),
        codecs.joined(separator: ", "),
      ])
    }
    for line in columns.lines(width: StandardStreams.terminalWidth) { try writer.write(line) }
  }
}
