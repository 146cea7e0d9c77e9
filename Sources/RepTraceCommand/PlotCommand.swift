import ArgumentParser
import RepTrace

struct PlotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draws a recording or a stored set: signal, reps, confidence.",
    discussion: """
      The picture shows the sets with their reps and confidence, movements that were not counted \
      and why, gaps, phases, the movement curve, the signals and the heart rate. As HTML it pans \
      and zooms, without any network.

      Example:
        reptrace plot recordings/curls.csv -o curls.html
      """)

  @Argument(
    help: "A file, a folder that holds one recording, or a stored set: STORE.sqlite#SET.",
    completion: .file())
  var input: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to write: .svg or .html.", valueName: "file"),
    completion: .file(extensions: ["svg", "html"]))
  var output: String

  @Flag(help: "The recording holds exactly one set, perhaps with a few seconds around it.")
  var oneSet = false

  @Option(help: ArgumentHelp("Width of an SVG.", valueName: "pixels"))
  var width = 1200

  @OptionGroup(visibility: .hidden) var reading: InputOptions

  @OptionGroup(visibility: .hidden) var timeless: TimelessOptions

  func validate() throws {
    let name = output.lowercased()
    try require(
      name.hasSuffix(".svg") || name.hasSuffix(".html"),
      "the output ends in .svg or .html, found \"\(output)\"")
    try require((300...10_000).contains(width), "--width is from 300 to 10000")
  }

  func run() async throws {
    let pipeline = ProcessingPipeline(
      options: ProcessingOptions(
        oneSet: oneSet, loading: timeless.applied(to: try reading.loadingOptions())))
    var items: [FigureInput.Item] = []
    let failures = try await FigureInput.read([input], pipeline: pipeline) { items.append($0) }
    guard let item = items.first else {
      throw ExitStatus.noInputDecoded.noting("\(input): nothing to draw")
    }
    try require(
      items.count == 1,
      "\(input) holds \(items.count) recordings or sets; name one of them, or use report")
    let figure = item.figure()
    let isPage = output.lowercased().hasSuffix(".html")
    try FigureOutput.write(
      isPage ? figure.html(facts: SetFacts.of(item)) : figure.svg(width: Double(width)),
      to: output)
    StandardStreams.note("\(output): \(figure.subtitle)")
    if failures > 0 { throw ExitStatus.someInputsFailed }
  }
}

/// The figures of a set by name.
enum SetFacts {
  /// Returns the figures of a single set, or only the counts of several.
  static func of(_ item: FigureInput.Item) -> [(name: String, value: String)] {
    guard item.sets.count == 1, let set = item.sets.first else {
      let reps = item.sets.reduce(0) { $0 + $1.reps.count }
      let total = [("sets", "\(item.sets.count)"), ("reps", "\(reps)")]
      // More lines would push the picture, which shows the counts anyway, off the screen.
      guard item.sets.count <= 12 else { return total }
      return total
        + item.sets.enumerated().map {
          (
            "set \($0 + 1)",
            "\($1.reps.count) reps, confidence \(decimal($1.confidence * 100, 0)) %"
          )
        }
    }
    let analysis = SetAnalyzer.analyze(set, samples: item.samples)
    var facts = [
      ("reps", "\(set.reps.count)"), ("confidence", decimal(set.confidence * 100, 0) + " %"),
    ]
    if let corrected = item.correctedReps { facts.append(("corrected", "\(corrected)")) }
    return facts + of(analysis)
  }

  /// Returns the figures of the set, and the means of its reps' figures.
  static func of(_ analysis: SetAnalysis) -> [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = []
    func add<Analysis>(_ figure: Figure<Analysis>, _ value: Double?) {
      guard let value else { return }
      facts.append((figure.title, "\(decimal(value, figure.decimals)) \(figure.unit)"))
    }
    for figure in SetAnalysis.shownFigures { add(figure, figure.shownValue(of: analysis)) }
    // The set has its own figures for these.
    let summarized = ["relativeRange", "similarity", "rotationRange"]
    for figure in RepAnalysis.figures where !summarized.contains(figure.key) {
      let values = analysis.reps.compactMap(figure.shownValue)
      add(figure, values.isEmpty ? nil : values.reduce(0, +) / Double(values.count))
    }
    if let rest = analysis.fatigue?.recovery?.restSeconds {
      facts.append(("rest hint", "\(rest.lowerBound) to \(rest.upperBound) s"))
    }
    return facts
  }
}
