import ArgumentParser
import Foundation
import RepTrace

struct HistoryBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a history, as it is at one instant, into a new file.",
    discussion: """
      Others may go on reading and writing meanwhile. The copy is its owner's alone.

      Example:
        reptrace history backup history.sqlite copy.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The new file.", completion: .file(extensions: ["sqlite"]))
  var destination: String

  func run() throws {
    guard !FileManager.default.fileExists(atPath: destination) else {
      StandardStreams.note("\(destination): exists already")
      throw ExitStatus.cannotCreateOutput
    }
    let history = try HistoryOpening.existing(arguments.store, mode: .readOnly, checksRows: false)
    try HistoryOpening.reporting { try history.backup(to: destination) }
    StandardStreams.note("\(destination) written")
  }
}
