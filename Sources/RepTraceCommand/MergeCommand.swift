import ArgumentParser
import Foundation
import HistorySync
import RepTrace

struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Adds to a history what another history of the same person holds.",
    discussion: """
      STORE gets the workouts, sets, samples, corrections, plans and deletions of OTHER that it \
      lacks. Where both have changed a field, the later edit stays, as in `reptrace sync`. OTHER is only \
      read; to bring both to the same state, merge in the other direction too. Merging again changes \
      nothing. Workouts that are still under way stay where they are.

      A damaged OTHER is refused as a whole. OTHER's data must fit into memory, and a copy of it into \
      the folder for temporary files.

      Prints one line of JSON. Exit status: 1 if a rule of STORE refuses objects ("refused"); the rest is \
      merged.

      Example:
        reptrace merge history.sqlite old-laptop.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The history to add.", completion: .file(extensions: ["sqlite"]))
  var other: String

  @Option(help: HistoryOpening.oneUserHelp)
  var user: String?

  func run() async throws {
    guard !isSameFile else {
      throw ValidationError("\(arguments.store) and \(other) are the same file.")
    }
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let source = try HistoryOpening.existing(other, mode: .readOnly)
    let person = try HistoryOpening.oneUser(user, in: history)
    let sourcePerson = try HistoryOpening.oneUser(user, in: source)
    try requireIntact(source)
    do {
      let centre = MemoryCentre()
      try await fill(centre, from: source, user: sourcePerson)
      try await Synchronizer(store: history, transport: centre, user: person).receive().print()
      let others = try source.users.all().count - 1
      if user == nil, others > 0 {
        StandardStreams.note(
          "\(other) holds \(counted(others, "more person")): merge each with --user")
      }
    } catch {
      throw HistoryOpening.reported(error)
    }
  }

  private var isSameFile: Bool {
    var (first, second) = (stat(), stat())
    return stat(arguments.store, &first) == 0 && stat(other, &second) == 0
      && (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
  }

  private func requireIntact(_ source: HistoryStore) throws {
    let report = try HistoryOpening.reporting(opening: true) { try source.verify() }
    guard !report.isIntact else { return }
    StandardStreams.note(
      """
      \(other) is damaged (\(counted(report.problems.count, "problem"))), nothing was merged: \
      \(report.problems[0].description)
      """)
    throw ExitStatus.noInputDecoded
  }

  /// Sends a person's part of a history to a centre, from a copy: sending marks rows as sent.
  private func fill(
    _ centre: MemoryCentre, from source: HistoryStore, user: HistoryUser.ID
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reptrace-merge-\(UUID().uuidString)")
    try FileError.naming(folder.path) {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("copy.sqlite").path
    try source.backup(to: path)
    let copy = try HistoryStore(path: path, mode: .readWrite)
    defer { try? copy.close() }
    _ = try await Synchronizer(store: copy, transport: centre, user: user).sync()
  }
}
