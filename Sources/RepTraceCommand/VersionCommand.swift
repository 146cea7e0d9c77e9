import ArgumentParser
import CBuildInformation
import RepTrace

struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Prints the version, and with --verbose what it was built from.",
    discussion: """
      Example:
        reptrace version --verbose
      """)

  @Flag(help: "Print the commit, the Swift version and the versions of the data formats too.")
  var verbose = false

  func run() throws {
    let facts = verbose ? Self.facts.map { "\($0.name): \($0.value)" } : []
    try LineWriter.write([libraryVersion] + facts)
  }

  /// Facts for bug reports, in printing order.
  static var facts: [(name: String, value: String)] {
    [
      ("commit", String(cString: reptrace_build_commit())),
      ("Swift", String(cString: reptrace_build_swift_version())),
      ("timeline format", TimelineBlob.newestVersion),
      ("store schema", "\(HistoryStore.schemaVersion)"),
      ("frame format", "\(BinaryFrame.version)"),
    ]
  }
}
