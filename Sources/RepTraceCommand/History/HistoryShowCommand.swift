import ArgumentParser
import RepTrace

struct HistoryShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows one set: its figures and its reps.",
    discussion: """
      Example:
        reptrace history show history.sqlite 1
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The set: its number in the list, its id, or the id's beginning.")
  var set: String

  @OptionGroup var output: ObjectOutputOptions

  @OptionGroup var display: DisplayOptions

  func run() throws {
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly)
    let row = try arguments.set(set, in: history)
    let timeline = try HistoryOpening.reading {
      // A corrected set that the detector no longer finds has a row without samples.
      if row.position == nil, row.byteCount == 0 { return Timeline(samples: MotionBatch()) }
      return try SampleExport.reading("set \(set)", in: arguments.store) {
        try history.timeline(ofSet: row.id)
      }
    }
    let counted = timeline.set
    let standard = timeline.samples.inStandardUnits()
    let context = try SetListContext(history)
    let first = standard.times.first ?? 0
    let origin = row.recordingId.flatMap { context.origins[$0] } ?? first
    let duration = (standard.times.last ?? first) - first
    if output.format != .table {
      let analysis = counted.map {
        AnalysisText.json(SetAnalyzer.analyze($0, samples: standard))
      }
      let object = JSONObjectText([
        "set": .json(row.jsonLine(context)),
        "repEvents": .json((counted?.reps ?? []).json(decimals: 3, origin: origin)),
        "samples": .number(standard.count), "duration": .number(duration, decimals: 3),
        "analysis": .json(analysis),
      ])
      return try LineWriter.write([object.text])
    }
    var facts: [(String, String)] = [
      ("id", row.shortID), ("set", row.key.rawValue), ("recording", row.recordingName ?? "–"),
      ("cause", row.cause.rawValue),
    ]
    if let exercise = row.exerciseName ?? row.exerciseId?.rawValue {
      facts.append(("exercise", exercise))
    }
    if let id = row.sessionId { facts.append(("session", id.rawValue)) }
    if let weight = row.weight { facts.append(("weight", SetList.weightText(weight) + " kg")) }
    if let notes = row.notes { facts.append(("notes", notes)) }
    if let start = row.startTime { facts.append(("date", DateText.local(start))) }
    facts.append(("reps", String(row.detectedReps ?? 0)))
    if let corrected = row.correctedReps {
      facts.append(("corrected", "\(corrected) (a person's word)"))
    }
    if let labelled = row.labelledReps { facts.append(("labelled", String(labelled))) }
    if let confidence = row.confidence { facts.append(("confidence", decimal(confidence, 2))) }
    facts.append(("detector", row.detector))
    facts.append(("phases", phases(timeline)))
    facts.append(
      (
        "timeline",
        "\(standard.count) samples over \(decimal(duration, 1)) s "
          + "in \(row.byteCount) bytes: "
          + timeline.samples.channels.map(\.name).joined(separator: ", ")
      ))
    let analysis = counted.map { SetAnalyzer.analyze($0, samples: standard) }
    if let analysis { facts += SetFacts.of(analysis).map { ($0.name, $0.value) } }
    var writer = LineWriter()
    let width = facts.reduce(0) { max($0, $1.0.count) }
    for (name, value) in facts where !value.isEmpty {
      let columns = StandardStreams.terminalWidth.map { max(20, $0 - width - 2) }
      for (index, line) in AnalysisText.wrapped(value, width: columns).enumerated() {
        let head = index == 0 ? name : ""
        try writer.write(head + String(repeating: " ", count: width - head.count + 2) + line)
      }
    }
    let stored = MovementCurve(stored: timeline.movementCurve)
    if let curve = stored.points.isEmpty ? analysis?.curve : stored,
      display.drawsPictures
    {
      let spark = Sparkline.lines(curve, width: StandardStreams.terminalWidth ?? 80)
      try writer.write("")
      try writer.write(spark.movement)
      try writer.write(spark.reps)
    }
    if let counted, !counted.reps.isEmpty {
      let table = AnalysisText.table(counted, analysis, origin: origin)
      try writer.write("")
      let usesColor = StandardStreams.outputHasColor && !display.noColor
      for line in table.lines(width: StandardStreams.terminalWidth, usesColor: usesColor) {
        try writer.write(styled: line)
      }
    }
    try writer.flush()
  }

  private func phases(_ timeline: Timeline) -> String {
    timeline.phases.map { "\($0.phase.rawValue) (\($0.rows.count) samples)" }
      .joined(separator: ", ")
  }
}
