import ArgumentParser
import Foundation
import RepTrace

struct HistoryBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a history, as it is at one instant, into a new file.",
    discussion: """
      Others may go on reading and writing meanwhile. The copy is its owner's alone.

      A copy is restored in the same way, once the damaged history is out of the way with the files \
      whose names begin with its name (history.sqlite-wal, -shm, -journal).

      Examples:
        reptrace history backup history.sqlite copy.sqlite
        reptrace history backup copy.sqlite history.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The new file.", completion: .file(extensions: ["sqlite"]))
  var destination: String

  func run() throws {
    // SQLite would apply a leftover log to the copy.
    for file in ["", "-wal", "-journal"].map({ destination + $0 })
    where FileManager.default.fileExists(atPath: file) {
      throw ExitStatus.cannotCreateOutput.noting("\(file): exists already")
    }
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly, checksRows: false)
    try HistoryOpening.writing { try history.backup(to: destination) }
    StandardStreams.note("\(destination) written")
  }
}
