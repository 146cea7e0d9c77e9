import ArgumentParser
import Foundation
import HistorySync
import RepTrace

#if PostgreSQL
  import PostgreSQLSync
#endif

struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Keeps a history in step with a central one in PostgreSQL.",
    discussion: """
      Sends what is new here, takes over what is new there, and prints one line of JSON. \
      Credentials come from where PostgreSQL's programs have them: ~/.pgpass, a service file, \
      PGPASSWORD, or the system's login. An address with a password in it is refused.

      Exit status: 0 done; 1 the center refuses, or a rule of the history refuses an object \
      ("refused"); 69 this program was built without PostgreSQL; 75 the center cannot be reached, try \
      again later.

      Example:
        reptrace sync history.sqlite postgresql://gym.example/history
      """)

  @Argument(
    help: "The history. It is made if it is missing: a new device begins with all there is.",
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Argument(help: "The center: postgresql://[USER@]HOST[:PORT]/DATABASE.")
  var address: String?

  @Flag(name: .customLong("init"), help: "Make the central schema, or bring it up to date.")
  var isInitializing = false

  @Option(help: HistoryOpening.oneUserHelp)
  var user: String?

  @Flag(help: "Sync again and again until interrupted.")
  var watch = false

  @Option(help: "Seconds between two syncs of --watch, 1 to 86400.")
  var interval = 10.0

  mutating func validate() throws {
    try require((1...86_400).contains(interval), "--interval must be 1 to 86400.")
    if isInitializing, address == nil {
      // `reptrace sync --init ADDRESS`: there is no history.
      address = store
      store = nil
    }
    try require(
      address != nil && (isInitializing || store != nil), "Expected a history and an address.")
  }

  func run() async throws {
    #if PostgreSQL
      do {
        let center = try PostgreSQLCenter(address: address ?? "")
        if isInitializing {
          let (before, after) = try await center.initialize()
          try StandardStreams.write(
            "{\"schema\":\(after),\"before\":\(before)}\n", to: STDOUT_FILENO)
        }
        if let store { try await sync(store, with: center) }
      } catch {
        throw HistoryOpening.reported(error)
      }
    #else
      throw ExitStatus.unavailable.noting(
        """
        this reptrace was built without PostgreSQL; in its source folder, \
        `make build REPTRACE_TRAITS=default,PostgreSQL` builds one with it
        """)
    #endif
  }

  private func sync(_ store: String, with center: any SyncTransport) async throws {
    // A new history has only the local person.
    let history =
      try
      (user == nil
      ? HistoryOpening.forWriting(store) : HistoryOpening.existing(store, mode: .readWrite))
    defer { try? history.close() }
    let synchronizer = Synchronizer(
      store: history, transport: center, user: try HistoryOpening.oneUser(user, in: history))
    if watch { try await self.watch(synchronizer) }
    try await synchronizer.sync().print()
  }

  /// Synchronizes forever, retrying while the center is unreachable.
  private func watch(_ synchronizer: Synchronizer) async throws -> Never {
    while true {
      do {
        let report = try await synchronizer.sync()
        if !report.didNothing { try report.write() }
      } catch let error as SyncError {
        guard case .unreachable = error else { throw error }
        StandardStreams.note("\(error)")
      }
      try await Task.sleep(for: .seconds(interval))
    }
  }
}

extension SyncReport {
  /// Writes the report as one line of JSON.
  fileprivate func write() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let line = String(decoding: try encoder.encode(self), as: UTF8.self)
    try StandardStreams.write(line + "\n", to: STDOUT_FILENO)
  }

  /// Writes the report, and exits with status 1 if objects were refused.
  func print() throws {
    try write()
    if !refused.isEmpty { throw ExitStatus.someInputsFailed }
  }
}
