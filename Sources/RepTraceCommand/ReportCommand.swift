import ArgumentParser
import Evaluation
import Foundation
import RepTrace
import Reports

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes a page about a session, a history or an evaluation.",
    discussion: """
      With inputs, the page shows their sets: small movement curves, and how fatigue and \
      consistency went. With --recordings and --labels it shows an evaluation: counted against \
      true reps, whether the confidence means what it says, and the worst sets with their plots.

      Of a history, --user shows only the sets of that person, by uuid or login id.

      Examples:
        reptrace report history.sqlite -o report.html
        reptrace report sets/ --name-pattern '{exercise}_{weight}kg' -o report.html
      """)

  @Argument(
    help: "Files, folders, histories, or stored sets (STORE.sqlite#SET).", completion: .file())
  var inputs: [String] = []

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to write: .html.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var output: String

  @Option(help: ArgumentHelp("The page's title.", valueName: "text"))
  var title: String?

  @Flag(help: "Each recording holds exactly one set, perhaps with a few seconds around it.")
  var oneSet = false

  @OptionGroup(title: "What was recorded") var labels: LabelOptions

  @Option(
    help: "Evaluate instead: the folder of the recordings that --labels counts, as for evaluate.",
    completion: .directory)
  var recordings: String?

  @Option(help: "Evaluate: given or found, as for evaluate.")
  var mode: EvaluationOptions.Mode = .found

  @Option(help: ArgumentHelp("Evaluate: how many of the worst sets to plot.", valueName: "count"))
  var worst = 12

  @OptionGroup(visibility: .hidden) var reading: InputOptions

  @OptionGroup(visibility: .hidden) var timeless: TimelessOptions

  func validate() throws {
    try require(
      output.lowercased().hasSuffix(".html"), "the output ends in .html, found \"\(output)\"")
    try require(
      inputs.isEmpty != (recordings == nil), "either inputs, or --recordings with --labels")
    try require(inputs.count { $0 == "-" } < 2, "standard input (-) can be read once")
    try require(recordings == nil || labels.labels != nil, "--recordings needs --labels")
    try require((0...100).contains(worst), "--worst is from 0 to 100")
  }

  func run() async throws {
    if let recordings, let labels = labels.labels {
      return try await reportEvaluation(labels: labels, recordings: recordings)
    }
    var options = ProcessingOptions(
      oneSet: oneSet, loading: timeless.applied(to: try reading.loadingOptions()))
    options.labels = try labels.recordingLabels()
    let pipeline = ProcessingPipeline(options: options)
    var counted: [CountedItem] = []
    var sets: [ReportPage.AnalyzedSet] = []
    var withoutSet: [(recording: String, reason: String)] = []
    var recordings: Set<String> = []
    func analyse() {
      sets += mapInParallel(counted.count) { [counted] in counted[$0].analysed }
      counted.removeAll()
    }
    let failures = try await FigureInput.read(
      inputs, user: labels.user, hasEmptyRecordings: true, pipeline: pipeline,
      failed: { withoutSet.append(($0, "cannot be read: \($1)")) },
      deliver: { item in
        recordings.insert(item.recording)
        counted += zip(item.titles, item.sets).map { CountedItem(title: $0, set: $1, item: item) }
        if item.sets.isEmpty {
          withoutSet.append((item.name, FigureWords.reason(withoutSet: item.rejections())))
        }
        // Bound the number of sets whose samples are in memory.
        if counted.count >= 64 { analyse() }
      })
    analyse()
    let names = sets.map(\.title.source) + withoutSet.map(\.recording)
    let common = TextTable.commonFolder(of: names).count
    for index in sets.indices { sets[index].title.source.removeFirst(common) }
    for index in withoutSet.indices { withoutSet[index].recording.removeFirst(common) }
    var page = ReportPage(
      title: title ?? "Training report", sets: sets, withoutSet: withoutSet,
      facts: [("recordings", "\(recordings.count)")])
    page.source = inputs.count > 4 ? "\(inputs.count) inputs" : inputs.joined(separator: ", ")
    try FigureOutput.write(page.html(), to: output)
    StandardStreams.note("\(output): \(TextFormats.counted(sets.count, "set"))")
    if failures > 0 { throw ExitStatus.someInputsFailed }
  }

  /// A set whose analysis is pending.
  private struct CountedItem {
    var title: FigureTitle
    var set: CountedSet
    var samples: MotionBatch
    var correctedReps: Int?
    var notedReps: Int?

    init(title: FigureTitle, set: CountedSet, item: FigureInput.Item) {
      self.title = title
      self.set = set
      samples = item.samples
      correctedReps = item.correctedReps
      notedReps = item.notedReps
    }

    var analysed: ReportPage.AnalyzedSet {
      // Few sets on a watch support phase times, whose fit takes most of the analysis time.
      let analysis = SetAnalyzer.analyze(
        set, samples: samples, configuration: AnalysisConfiguration(measuresPhases: false))
      return ReportPage.AnalyzedSet(
        title: title, set: set, analysis: analysis, correctedReps: correctedReps,
        notedReps: notedReps,
        plot: RecordingFigure(title, set: set, analysis: analysis, samples: samples))
    }
  }

  // MARK: Evaluation

  private func reportEvaluation(labels: String, recordings: String) async throws {
    let loading = timeless.applied(to: try reading.loadingOptions())
    let evaluation = try await LabelEvaluation.run(
      try LabelEvaluation.rows(ofFile: labels), recordings: recordings,
      options: EvaluationOptions(mode: mode), loading: loading)
    let report = evaluation.report
    let figures = try await worstFigures(report, folder: recordings, loading: loading)
    let page = ReportPage(
      evaluation: report, title: title ?? "Evaluation of \(labels)", worst: figures)
    try FigureOutput.write(page.html(), to: output)
    StandardStreams.note(
      "\(output): \(report.total.exact) of \(report.total.sets) counts are exact")
    if evaluation.failures > 0 { throw ExitStatus.someInputsFailed }
  }

  /// Returns plots of the sets with the largest count errors, each cropped to its surroundings.
  private func worstFigures(
    _ report: EvaluationReport, folder: String, loading: LoadingOptions
  ) async throws -> [RecordingFigure] {
    let chosen = report.sets.filter { !$0.isExact }
      .sorted { (-abs($0.error), $0.label.line) < (-abs($1.error), $1.label.line) }
      .prefix(worst)
    guard !chosen.isEmpty else { return [] }
    var paths: [String: [String]] = [:]
    for file in InputScanner.scan([folder]).flatMap(\.files) {
      for name in RecordingLabels.names(ofRecording: file.path) {
        paths[name, default: []].append(file.path)
      }
    }
    let pipeline = ProcessingPipeline(options: ProcessingOptions(loading: loading))
    var figures: [RecordingFigure] = []
    for set in chosen {
      guard let candidates = paths[set.label.recording] else { continue }
      var item: FigureInput.Item?
      _ = try? await FigureInput.read(candidates, pipeline: pipeline) { item = item ?? $0 }
      guard let item else { continue }
      figures.append(figure(of: set, item))
    }
    return figures
  }

  private func figure(of set: EvaluatedSet, _ item: FigureInput.Item) -> RecordingFigure {
    var samples = item.samples
    var sets = item.sets
    let span = set.label.span
    if let span {
      let margin = mode == .given ? EvaluationOptions.usualMarginSeconds : 15
      let times = samples.times
      samples = samples.selecting(
        times.indices.filter {
          times[$0] >= span.lowerBound - margin && times[$0] <= span.upperBound + margin
        })
      sets = sets.filter {
        $0.end > (samples.times.first ?? 0) && $0.start < (samples.times.last ?? 0)
      }
    }
    if mode == .given { sets = [RepDetector.countSet(in: samples)] }
    var figure = RecordingFigure(
      title: set.label.recording + (set.label.exercise.map { ", \($0)" } ?? ""),
      subtitle: "counted \(set.countedReps), true \(set.label.reps), confidence "
        + (set.confidence.map { decimal($0, 2) } ?? "none"),
      samples: samples, sets: sets)
    if let span, let origin = samples.times.first {
      figure.phases.append(
        RecordingFigure.Span(
          start: span.lowerBound - origin, end: span.upperBound - origin,
          name: "labelled set: \(set.label.reps) reps"))
    }
    return figure
  }
}
