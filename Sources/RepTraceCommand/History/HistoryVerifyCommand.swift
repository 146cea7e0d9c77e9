import ArgumentParser
import RepTrace

struct HistoryVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks the database and decodes every timeline; names what is damaged.",
    discussion: """
      Example:
        reptrace history verify history.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly, checksRows: false)
    let report = try HistoryOpening.reading { try history.verify() }
    let recordings = report.isIntact ? [] : (try? history.recordings { _ in }) ?? []
    var writer = LineWriter()
    for problem in report.problems {
      var line = problem.description
      if let key = problem.setKey {
        line = "set \(key): \(line)"
      } else if let id = problem.recordingId {
        let name = recordings.first { $0.id == id }?.name
        line = "recording \(name ?? "\(id.rawValue)"): \(line)"
      }
      if let kept = problem.recoverableSamples {
        line += " (\(kept) samples can be recovered, \(problem.lostSamples ?? 0) are lost)"
      }
      try writer.write(line)
    }
    try writer.write(
      counted(report.recordingCount, "recording") + ", " + counted(report.setCount, "set") + ", "
        + counted(report.sampleCount, "sample") + "; "
        + "\(report.intactTimelineCount) of \(report.timelineCount) timelines intact "
        + "(\(report.byteCount) bytes); "
        + (report.isIntact ? "no damage found" : counted(report.problems.count, "problem")))
    try writer.flush()
    if !report.isIntact { throw ExitStatus.someInputsFailed }
  }
}
