import ArgumentParser
import Foundation
import MotionSynthesis
import RepTrace

struct GenerateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Writes synthetic recordings with their truth.",
    discussion: """
      Writes DIR/recordings, DIR/labels.csv (a row per set, as `evaluate` reads it) and \
      DIR/reps.csv (a row per rep). The same seed gives the same bytes; what no option fixes is \
      drawn from the seed.

      Example:
        reptrace generate -o made --count 20 --exercise curl
      """)

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The folder to write into.", valueName: "dir"),
    completion: .directory)
  var output: String

  @Option(help: "How many recordings.")
  var count = 1

  @Option(help: "The seed of everything that is random.")
  var seed: UInt64 = 1

  @Option(help: "The exercise.")
  var exercise: ExerciseFamily?

  @Option(help: "How cleanly it is executed.")
  var difficulty: Difficulty?

  @Option(help: "Sets in each recording.")
  var sets: Int?

  @Option(help: "Full reps in each set.")
  var reps: Int?

  @Option(help: "Seconds of rest before, between and after the sets, about.")
  var rest: Double?

  @Option(help: "The recording's name, where only one is made.")
  var name: String?

  @Option(help: "Samples per second throughout, or `watch` for 50 in execution and 20 at rest.")
  var rate: String?

  @Option(
    help: ArgumentHelp(
      Self.choices(SignalFault.self, "What is wrong with the samples, with commas, or none")))
  var faults: String?

  @Option(
    help: ArgumentHelp(
      Self.choices(TransportFault.self, "What the transport of chunks does wrong, with commas")))
  var transport: String?

  @Option(help: "The format.")
  var format: SyntheticFormat = .csv

  @Option(help: "How dates in chunks are written.")
  var dates: MotionSynthesis.DateEncoding = .seconds1970

  private static func choices<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type, _ text: String
  ) -> String {
    text + ": " + type.allCases.map(\.rawValue).joined(separator: ", ") + "."
  }

  private func list<Choice: RawRepresentable<String> & Hashable>(
    _ text: String, _ option: String
  ) throws -> Set<Choice> {
    if text == "none" { return [] }
    return Set(
      try text.split(separator: ",").map { name in
        guard let choice = Choice(rawValue: String(name)) else {
          throw ValidationError("--\(option) does not know \"\(name)\"")
        }
        return choice
      })
  }

  private func samplingRate() throws -> SamplingRate? {
    guard let rate else { return nil }
    if rate == "watch" { return .watch }
    guard let hertz = Double(rate) else {
      throw ValidationError("--rate is a number of hertz, or watch")
    }
    return .constant(hertz)
  }

  func validate() throws {
    try require(
      format.declaresSets || (transport == nil && dates == .seconds1970),
      "--transport and --dates go with a --format of chunks")
    try require((1...1_000_000).contains(count), "--count must be between 1 and 1000000")
    if let name {
      try require(
        count == 1 && !name.isEmpty && !name.contains("/") && !name.hasPrefix("."),
        "--name is the file name of a single recording")
    }
    for options in try allOptions().prefix(1) { try check(options) }
  }

  private func check(_ options: SynthesisOptions) throws {
    do { try options.validate() } catch { throw ValidationError("--\(error)") }
  }

  private func allOptions() throws -> [SynthesisOptions] {
    var corpus = SyntheticCorpus(seed: seed, count: count)
    corpus.exercise = exercise
    corpus.difficulty = difficulty
    corpus.rate = try samplingRate()
    corpus.faults = try faults.map { try list($0, "faults") }
    return corpus.map { options in
      var options = options
      options.sets = sets
      options.reps = reps
      options.restSeconds = rest
      if let name { options.name = name }
      return options
    }
  }

  func run() async throws {
    let writer = RecordingWriter(
      format: format, dateEncoding: dates,
      transportFaults: try transport.map { try list($0, "transport") } ?? [])
    var truth = TruthTable()
    let folder = URL(fileURLWithPath: output)
    do {
      try await mapInOrder(
        try allOptions(),
        { options -> Result<SyntheticRecording, any Error> in
          Result {
            let made = try RecordingSynthesizer(options).make()
            for file in writer.files(of: made) {
              try Self.write(
                file.bytes, to: folder.appending(path: "recordings/\(file.relativePath)"))
            }
            return made
          }
        },
        deliver: { truth.add(try $0.get(), writer: writer) })
      try Self.write(truth.labels, to: folder.appending(path: "labels.csv"))
      try Self.write(truth.reps, to: folder.appending(path: "reps.csv"))
    } catch let error as SynthesisError {
      throw ValidationError("\(error)")
    } catch {
      throw ExitStatus.cannotCreateOutput.noting("\(FileError(output, error))")
    }
    StandardStreams.note("\(counted(count, "recording")) in \(output)")
  }

  /// Writes a file completely or not at all.
  private static func write(_ bytes: [UInt8], to url: URL) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url, options: .atomic)
  }
}

extension ExerciseFamily: ExpressibleByArgument {}
extension Difficulty: ExpressibleByArgument {}
extension SyntheticFormat: ExpressibleByArgument {}
extension MotionSynthesis.DateEncoding: ExpressibleByArgument {}
