import ArgumentParser

/// Options for the display of results on a terminal.
struct DisplayOptions: ParsableArguments {
  @Flag(help: "No colors, as with the environment variable NO_COLOR.")
  var noColor = false

  @Flag(help: "No pictures of the movement made of characters.")
  var noPictures = false

  /// True if pictures should be drawn; they need a terminal.
  var drawsPictures: Bool { StandardStreams.outputIsTerminal && !noPictures }
}

/// The amount of messages on standard error.
struct MessageOptions: ParsableArguments {
  @Flag(help: "Print every note and every skipped file instead of summing them up.")
  var verbose = false

  @Flag(help: "Print only failures.")
  var quiet = false

  func validate() throws { try require(!(verbose && quiet), "either --verbose or --quiet") }
}
