import ArgumentParser
import Foundation

/// How results look on a terminal.
struct DisplayOptions: ParsableArguments {
  @Flag(help: "No colours. The environment's NO_COLOR says the same.")
  var noColor = false

  @Flag(help: "No pictures of the movement made of characters.")
  var noPictures = false

  /// Pictures need a terminal to be seen on.
  var drawsPictures: Bool { StandardStreams.outputIsTerminal && !noPictures }

  var isColored: Bool {
    let environment = ProcessInfo.processInfo.environment
    return StandardStreams.outputIsTerminal && !noColor
      && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }
}

/// How much is said on standard error.
struct MessageOptions: ParsableArguments {
  @Flag(help: "Say every note and every file that was skipped, instead of summing them up.")
  var verbose = false

  @Flag(help: "Say only what failed.")
  var quiet = false

  func validate() throws {
    guard !(verbose && quiet) else { throw ValidationError("either --verbose or --quiet") }
  }
}
