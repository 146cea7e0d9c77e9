import ArgumentParser
import Foundation
import HistorySync
import RepTrace

struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Adds to a history what another history of the same people holds.",
    discussion: """
      STORE gets the workouts, sets, samples, corrections, plans and deletions of OTHER that it \
      lacks. Where both have changed a field, the later edit stays, as in `reptrace sync`. OTHER is only \
      read; to bring both to the same state, merge in the other direction too. Merging again changes \
      nothing. Workouts that are still under way stay where they are.

      A damaged OTHER is refused as a whole. OTHER's data must fit into memory, and a copy of it into \
      the folder for temporary files.

      Prints one line of JSON for each person. Exit status: 1 if a rule of STORE refuses objects ("refused"); the rest is \
      merged.

      Example:
        reptrace merge history.sqlite old-laptop.sqlite
      """)

  @OptionGroup var arguments: StoreArgument

  @Argument(help: "The history to add.", completion: .file(extensions: ["sqlite"]))
  var other: String

  @Option(help: HistoryOpening.oneUserHelp)
  var user: String?

  @Flag(
    help: "Merge every person of OTHER, into the one of STORE with the same id, added if missing.")
  var everybody = false

  func validate() throws {
    try require(user == nil || !everybody, "--user names one person, --everybody means all")
  }

  func run() async throws {
    try require(!isSameFile, "\(arguments.store) and \(other) are the same file.")
    let history = try HistoryOpening.existing(arguments.store, mode: .readWrite)
    let source = try HistoryOpening.existing(other, mode: .readOnly)
    let sourcePerson = try HistoryOpening.oneUser(user, in: source)
    try requireIntact(source)
    do {
      let all = try source.users.all()
      let people = everybody ? all : all.filter { $0.id == sourcePerson }
      try await withCopy(of: source) { copy in
        for person in people {
          guard let id = person.id else { continue }
          let center = MemoryCenter()
          _ = try await Synchronizer(store: copy, transport: center, user: id).sync()
          let own =
            try everybody && id != HistoryUser.ID.local
            ? history.users.findOrAdd(person.uuid) : HistoryOpening.oneUser(user, in: history)
          try await Synchronizer(store: history, transport: center, user: own).receive().print()
        }
      }
      if user == nil, people.count < all.count {
        StandardStreams.note(
          "\(other) holds \(counted(all.count - 1, "more person")): --user names one, --everybody all"
        )
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
    let report = try HistoryOpening.reading { try source.verify() }
    guard !report.isIntact else { return }
    throw ExitStatus.noInputDecoded.noting(
      """
      \(other) is damaged (\(counted(report.problems.count, "problem"))), nothing was merged: \
      \(report.problems[0].description)
      """)
  }

  /// Calls `body` with a copy of a history, since sending marks rows as sent.
  private func withCopy(
    of source: HistoryStore, _ body: (HistoryStore) async throws -> Void
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
    try await body(copy)
  }
}
