import ArgumentParser
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs the program `reptrace-sync` in the place of this one, as git runs its subcommands: only those
/// who sync with a centre need PostgreSQL's library.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Keeps a history in step with a central one in PostgreSQL.",
    discussion: """
      Runs the program reptrace-sync, which is built from the package in HistorySync and is looked for \
      beside reptrace and in PATH.

      Example:
        reptrace sync history.sqlite postgresql://gym.example/history
      """)

  private static let program = "reptrace-sync"

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The arguments of reptrace-sync.", valueName: "arguments"))
  var arguments: [String] = []

  func run() throws {
    // `captureForPassthrough` takes these along.
    if ["-h", "--help"].contains(arguments.first) { throw CleanExit.helpRequest(self) }
    let beside = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(Self.program).path
    var words: [UnsafeMutablePointer<CChar>?] = ([Self.program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    if let beside { execv(beside, words) }
    execvp(Self.program, words)
    throw ValidationError(
      """
      \(Self.program) is neither beside reptrace nor in PATH (\(String(cString: strerror(errno)))). \
      Build it: apt-get install libpq-dev, then swift build -c release --package-path HistorySync \
      --product \(Self.program), and copy it from HistorySync/.build/release to where reptrace is.
      """)
  }
}
