import ArgumentParser
import RepTrace

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains why each movement was or was not counted.",
    discussion: """
      Every rep is listed with its confidence and its likeness to the others, every movement that was \
      not counted with the reason, in words; --verbose adds the figures and thresholds, and so do the \
      other outputs. Times count from the recording's first sample, as in process. The recording is \
      counted again, and the reasons are those that the detector had.

      Example:
        reptrace explain recordings/curls.csv --at 42
      """)

  @Argument(
    help: "A file, a folder, or a stored set: STORE.sqlite#SET.", completion: .file())
  var input: String

  @Option(help: ArgumentHelp("Only the set of this number.", valueName: "number"))
  var set: Int?

  @Option(
    help: ArgumentHelp(
      "Only what happened at this time, in seconds from the recording's first sample.",
      valueName: "seconds"))
  var at: Double?

  @Flag(help: "Tell the figures and thresholds, too.")
  var verbose = false

  @Flag(help: "Each recording holds exactly one set, perhaps with a few seconds around it.")
  var oneSet = false

  @OptionGroup(visibility: .hidden) var reading: InputOptions

  @OptionGroup(visibility: .hidden) var timeless: TimelessOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let set, set < 1 { throw ValidationError("--set counts from 1") }
    if let at, !at.isFinite { throw ValidationError("--at is a number of seconds") }
  }

  func run() async throws {
    let pipeline = ProcessingPipeline(
      options: ProcessingOptions(
        oneSet: oneSet, loading: timeless.applied(to: try reading.loadingOptions())))
    var writer = LineWriter()
    var rows = output.style.printer(Explanation.columns)
    let failures = try await FigureInput.read([input], pipeline: pipeline) { item in
      let findings = self.findings(of: item)
      if let set, set > item.sets.count {
        StandardStreams.note("\(item.name): no set \(set), it has \(item.sets.count)")
      } else if findings.isEmpty, let at {
        StandardStreams.note("\(item.name): nothing was looked for at \(at) s")
      }
      if output.format == .table {
        for line in lines(of: item, findings) { try writer.write(line) }
      } else {
        for finding in findings {
          try rows.add(
            json: finding.json(recording: item.name), cells: finding.cells(recording: item.name))
        }
      }
    }
    try writer.flush()
    if output.format != .table { try rows.finish() }
    if failures > 0 { throw ExitStatus.someInputsFailed }
  }

  private func findings(of item: FigureInput.Item) -> [Explanation] {
    var findings = Explanation.findings(of: item)
    if let set { findings.removeAll { $0.set != set } }
    if let at { findings.removeAll { !($0.start - 0.5...$0.end + 0.5).contains(at) } }
    return findings
  }

  private func lines(of item: FigureInput.Item, _ findings: [Explanation]) -> [String] {
    var result = [TerminalText.printable(item.name)]
    for (index, counted) in item.sets.enumerated() where set == nil || set == index + 1 {
      result.append(
        "  set \(index + 1) (\(counted.cause.rawValue)), "
          + "\(decimal(counted.start - item.origin, 1)) to "
          + "\(decimal(counted.end - item.origin, 1)) s: \(TextFormats.counted(counted.reps.count, "rep")), "
          + (verbose
            ? "confidence \(decimal(counted.confidence, 2))"
            : Explanation.words(ofConfidence: counted.confidence))
      )
    }
    if item.sets.isEmpty { result.append("  no set") }
    for finding in findings {
      result.append(
        "  \(decimal(finding.start, 1)) to \(decimal(finding.end, 1)) s: \(finding.text(verbose: verbose))"
      )
    }
    if findings.isEmpty {
      result.append(at == nil ? "  nothing moved" : "  no set was looked for there")
    }
    return result
  }
}

/// The finding about one movement, or about signal without movement.
struct Explanation {
  enum Kind: String {
    case rep, partial, movement
    /// Signal without a candidate.
    case window = "stretch"
  }

  var kind: Kind
  /// Start, in seconds from the recording's first sample.
  var start: Double
  var end: Double
  /// Number of the set, from 1.
  var set: Int?
  /// Number of the rep in its set, from 1.
  var rep: Int?
  /// The reason, with numbers.
  var reason: String
  /// The reason, without numbers.
  var words: String
  /// The test that failed, if the detector's search rejected the movement.
  var test: CandidateRejection.Reason?

  func text(verbose: Bool) -> String {
    let reason = verbose ? reason : words
    return switch kind {
    case .rep: "rep \(rep ?? 0) of set \(set ?? 1): \(reason)"
    case .partial, .movement: "not counted: \(reason)"
    case .window: "nothing found: \(reason)"
    }
  }

  static let columns: [RowPrinter.Column] = [
    .init("recording"), .init("start"), .init("end"), .init("counted"), .init("kind"),
    .init("set"), .init("rep"), .init("reason"), .init("test"), .init("measured"), .init("needed"),
  ]

  func cells(recording: String) -> [String] {
    let figures = test?.figures
    return [
      recording, decimal(start, 3), decimal(end, 3), kind == .rep ? "true" : "false",
      kind.rawValue, set.map { String($0) } ?? "", rep.map { String($0) } ?? "", reason,
      test?.name ?? "", figures.map { decimal($0.value, 4) } ?? "",
      figures.map { decimal($0.needed, 4) } ?? "",
    ]
  }

  func json(recording: String) -> String {
    JSONObjectText([
      "recording": .text(recording), "start": .number(start, decimals: 3),
      "end": .number(end, decimals: 3), "counted": .flag(kind == .rep),
      "kind": .text(kind.rawValue), "set": .number(set), "rep": .number(rep),
      "reason": .text(reason), "test": .text(test?.name),
      "measured": .number(test?.figures?.value, decimals: 4),
      "needed": .number(test?.figures?.needed, decimals: 4),
    ]).text
  }

  /// Returns all movements of a recording in chronological order.
  static func findings(of item: FigureInput.Item) -> [Explanation] {
    var result: [Explanation] = []
    for (number, set) in item.sets.enumerated() {
      let analysis = SetAnalyzer.analyze(set, samples: item.samples)
      for (rep, figures) in zip(set.reps, analysis.reps) {
        result.append(
          Explanation(
            kind: .rep, start: rep.start - item.origin, end: rep.end - item.origin,
            set: number + 1, rep: figures.number, reason: reason(rep, figures),
            words: words(rep, figures)))
      }
    }
    for rejection in item.rejections() {
      let isQuiet = rejection.subject == .window && rejection.reason.name == "quiet"
      let isInSet = rejection.subject == .partial || rejection.subject == .movement
      result.append(
        Explanation(
          kind: isQuiet ? .window : rejection.subject == .partial ? .partial : .movement,
          start: max(0, rejection.start - item.origin), end: rejection.end - item.origin,
          set: isInSet ? nearestSet(to: rejection, of: item.sets).map { $0 + 1 } : nil, rep: nil,
          reason: isQuiet ? rejection.reason.description : rejection.description,
          words: isQuiet ? rejection.reason.words : rejection.words, test: rejection.reason))
    }
    return result.sorted { $0.start < $1.start }
  }

  /// Returns the index of the set that contains a movement or is nearest to it.
  private static func nearestSet(to rejection: CandidateRejection, of sets: [CountedSet]) -> Int? {
    sets.indices.min {
      max(sets[$0].start - rejection.end, rejection.start - sets[$0].end)
        < max(sets[$1].start - rejection.end, rejection.start - sets[$1].end)
    }
  }

  /// Returns a confidence as text.
  static func words(ofConfidence confidence: Double) -> String {
    confidence >= 0.95
      ? "certain"
      : confidence >= 0.8 ? "quite certain" : confidence >= 0.5 ? "doubtful" : "unlikely"
  }

  private static func words(_ rep: CountedRep, _ figures: RepAnalysis) -> String {
    var parts = ["counted, \(words(ofConfidence: rep.confidence))"]
    if let similarity = figures.similarity {
      parts.append(
        similarity >= 0.8
          ? "like the set's other reps"
          : similarity >= 0.5
            ? "somewhat unlike the set's other reps" : "unlike the set's other reps")
    }
    if let range = figures.relativeRange, range < 0.8 {
      parts.append(range < 0.6 ? "much smaller than the largest" : "smaller than the largest")
    }
    parts.append("\(decimal(figures.duration, 1)) s long")
    return parts.joined(separator: ", ")
  }

  private static func reason(_ rep: CountedRep, _ figures: RepAnalysis) -> String {
    var parts = ["counted, confidence \(decimal(rep.confidence, 2))"]
    if let similarity = figures.similarity {
      parts.append("similarity \(decimal(similarity, 2)) to the set's other reps")
    }
    if let range = figures.relativeRange {
      parts.append("\(decimal(range * 100, 0)) % of the set's largest range")
    }
    parts.append("\(decimal(figures.duration, 1)) s")
    return parts.joined(separator: ", ")
  }
}
