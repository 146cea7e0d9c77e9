import ArgumentParser
import Foundation
import HistorySync
import PostgreSQLSync
import WorkoutHistory

@main
struct SyncCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reptrace sync",
    abstract: "Keep a history in step with a central one in PostgreSQL.",
    discussion: """
      Sends what is new here, takes over what is new there, and says what it did as one line of JSON. \
      Credentials come from where PostgreSQL's programs have them: ~/.pgpass, a service file, \
      PGPASSWORD, or the system's login. An address with a password in it is refused.

      Exit status: 0 done; 1 the history or the centre says no, be it to one object ("refused"); 64 \
      a wrong argument; 75 the centre cannot be reached, try again later.
      """)

  @Argument(
    help: "The history. It is made if it is missing: a new device begins with all there is.")
  var store: String?

  @Argument(help: "The centre: postgresql://[USER@]HOST[:PORT]/DATABASE.")
  var address: String?

  @Flag(name: .customLong("init"), help: "Make the central schema, or bring it up to date.")
  var isInitializing = false

  @Option(help: "The person whose rows are synced: an id that the history knows (the local one).")
  var user: String?

  @Flag(help: "Go on until interrupted: sync again and again.")
  var watch = false

  @Option(help: "Seconds between two syncs of --watch, 1 to 86400.")
  var interval = 10.0

  mutating func validate() throws {
    guard (1...86_400).contains(interval) else {
      throw ValidationError("--interval must be 1 to 86400.")
    }
    if isInitializing, address == nil {
      // `reptrace sync --init ADDRESS`: there is no history.
      address = store
      store = nil
    }
    guard address != nil, isInitializing || store != nil else {
      throw ValidationError("Expected a history and an address.")
    }
  }

  func run() async throws {
    do {
      let centre = try PostgreSQLCentre(address: address ?? "")
      if isInitializing {
        let (before, after) = try await centre.initialize()
        Self.write("{\"schema\":\(after),\"before\":\(before)}")
      }
      guard let path = store else { return }
      // A history that is made now knows nobody but the local person.
      let history = try HistoryStore(path: path, mode: user == nil ? .create : .readWrite)
      defer { try? history.close() }
      var synchronizer = Synchronizer(store: history, transport: centre)
      if let user {
        guard let id = try history.users.user(HistoryUser.Key(user))?.id else {
          throw HistoryError.notFound(reference: "user \(user)")
        }
        synchronizer.user = id
      }
      if watch {
        try await self.watch(synchronizer)
      } else {
        let report = try await synchronizer.sync()
        Self.write(report)
        if !report.refused.isEmpty { throw ExitCode.failure }
      }
    } catch let error as SyncError {
      Self.fail("\(error)")
      switch error {
      case .unreachable: throw ExitCode(75)
      case .badAddress: throw ExitCode.validationFailure
      default: throw ExitCode.failure
      }
    } catch let error as HistoryError {
      Self.fail("\(error)")
      throw ExitCode.failure
    }
  }

  /// A centre that cannot be reached is no reason to end: it may come back.
  private func watch(_ synchronizer: Synchronizer) async throws {
    while true {
      do {
        let report = try await synchronizer.sync()
        if !report.didNothing { Self.write(report) }
      } catch SyncError.unreachable(let reason) {
        Self.fail("\(SyncError.unreachable(reason: reason))")
      }
      try await Task.sleep(for: .seconds(interval))
    }
  }

  private static func write(_ report: SyncReport) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(report) else { return }
    write(String(decoding: data, as: UTF8.self))
  }

  private static func write(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data("reptrace sync: \(message)\n".utf8))
  }
}
