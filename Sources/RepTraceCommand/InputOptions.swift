import ArgumentParser
import RepTrace

/// The options by which every command that reads recordings can be told about their format.
///
/// Commands take them without listing them in their help: ``FormatsCommand`` does that once.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the files, where it should not be recognised from their content: "
        + InputFormat.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "format"))
  var format: InputFormat?

  @Option(
    help: ArgumentHelp(
      "Describes the columns of CSV files that do not say so themselves.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "How dates in chunks are encoded, where it should not be recognised: "
        + DateEncoding.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      valueName: "encoding"))
  var dates: DateEncoding?

  @Option(
    help: ArgumentHelp(
      "What is read at most, for example depth=32: "
        + DecodingLimits.names.map { "\($0.name)=\(DecodingLimits.standard[keyPath: $0.limit])" }
        .joined(separator: ", ") + ". May be given several times.",
      valueName: "name=number"))
  var limit: [LimitOption] = []

  func loadingOptions() throws -> LoadingOptions {
    do {
      var options = try LoadingOptions(format: format, columnsFile: columns, dateEncoding: dates)
      for limit in limit { options.decoding.limits[keyPath: limit.path] = limit.value }
      return options
    } catch {
      StandardStreams.note("\(error)")
      let isMissing = (error as? InputFailure)?.kind == .missing
      throw isMissing ? ExitStatus.noInputExists : ExitStatus.noInputDecoded
    }
  }
}

/// A limit given as `NAME=NUMBER`.
struct LimitOption: ExpressibleByArgument {
  var path: WritableKeyPath<DecodingLimits, Int> & Sendable
  var value: Int

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = Int(parts[1]), value > 0,
      let known = DecodingLimits.names.first(where: { $0.name == parts[0] })
    else { return nil }
    path = known.limit
    self.value = value
  }
}

extension InputFormat: ExpressibleByArgument {}
extension ChunkDecoding.DateEncoding: ExpressibleByArgument {}

/// The options for CSV files that lack something; ``EvaluateCommand`` has another `--rate`.
struct TimelessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Samples per second of CSV files without times.", valueName: "hz"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "Lines to pass over before the header of CSV files, or before their first row.",
      valueName: "count"))
  var skipLines = 0

  func validate() throws {
    if let rate, !(rate.isFinite && (1...10_000).contains(rate)) {
      throw ValidationError("--rate is between 1 and 10000 Hz")
    }
    guard (0...1_000_000).contains(skipLines) else {
      throw ValidationError("--skip-lines is from 0 to 1000000")
    }
  }

  func applied(to options: LoadingOptions) -> LoadingOptions {
    var options = options
    options.decoding.rateHz = rate
    options.decoding.skippedLines = skipLines
    return options
  }
}
