import ArgumentParser
import RepTrace

/// Options about the format of recordings, for every command that reads them.
///
/// Commands do not list them in their help; ``FormatsCommand`` does so once.
struct InputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the files, where it should not be recognized from their content: "
        + Choice.list(of: InputFormat.self) + ".",
      valueName: "format"),
    completion: .list(InputFormat.allCases.map(\.rawValue)), transform: Choice.parse)
  var format: InputFormat?

  @Option(
    help: ArgumentHelp(
      "Describes the columns of CSV files that do not say so themselves.",
      valueName: "file"),
    completion: .file(extensions: ["json"]))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "How dates in chunks are encoded, where it should not be recognized: "
        + Choice.list(of: DateEncoding.self) + ".",
      valueName: "encoding"),
    completion: .list(DateEncoding.allCases.map(\.rawValue)), transform: Choice.parse)
  var dates: DateEncoding?

  @Option(
    help: ArgumentHelp(
      "What is read at most, for example depth=32: "
        + LimitOption.limits.map { "\($0.name)=\(DecodingLimits.standard[keyPath: $0.path])" }
        .joined(separator: ", ") + ". May be given several times.",
      valueName: "name=number"), transform: LimitOption.init)
  var limit: [LimitOption] = []

  func loadingOptions() throws -> LoadingOptions {
    do {
      var options = try LoadingOptions(format: format, columnsFile: columns, dateEncoding: dates)
      for limit in limit { options.decoding.limits[keyPath: limit.path] = limit.value }
      return options
    } catch {
      throw error.status.noting("\(error)")
    }
  }
}

extension InputFailure {
  var status: ExitCode {
    kind == .missing ? ExitStatus.noInputExists : ExitStatus.noInputDecoded
  }
}

/// Values of options that commands do not list in their help, so errors list them.
enum Choice {
  static func list<Value: RawRepresentable<String> & CaseIterable>(of type: Value.Type) -> String {
    type.allCases.map(\.rawValue).joined(separator: ", ")
  }

  static func parse<Value: RawRepresentable<String> & CaseIterable>(
    _ argument: String
  ) throws -> Value {
    guard let value = Value(rawValue: argument) else {
      throw ValidationError("use one of \(list(of: Value.self))")
    }
    return value
  }
}

/// A limit given as `NAME=NUMBER`.
struct LimitOption {
  static let limits: [(name: String, path: WritableKeyPath<DecodingLimits, Int> & Sendable)] = [
    ("inputBytes", \.inputBytes), ("messageBytes", \.messageBytes), ("depth", \.depth),
    ("samples", \.samples), ("messages", \.messages), ("textBytes", \.textBytes),
    ("columns", \.columns),
  ]

  var path: WritableKeyPath<DecodingLimits, Int> & Sendable
  var value: Int

  init(argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = Int(parts[1]), value > 0,
      let known = Self.limits.first(where: { $0.name == parts[0] })
    else {
      let names = Self.limits.map(\.name).joined(separator: ", ")
      throw ValidationError("a limit is NAME=NUMBER, with one of the names \(names)")
    }
    path = known.path
    self.value = value
  }
}

extension ChunkDecoding.DateEncoding: ExpressibleByArgument {}

/// Options for CSV files without times or rates. ``EvaluateCommand`` has a different `--rate`.
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
    try require(rate, in: 1...10_000, "--rate is between 1 and 10000 Hz")
    try require((0...1_000_000).contains(skipLines), "--skip-lines is from 0 to 1000000")
  }

  func applied(to options: LoadingOptions) -> LoadingOptions {
    var options = options
    options.decoding.rateHz = rate
    options.decoding.skippedLines = skipLines
    return options
  }
}
