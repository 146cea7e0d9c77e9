import ArgumentParser
import Foundation
import HistorySync
import RepTrace

/// The form in which a recording's samples are stored in a history.
enum TimelineChoice: String, CaseIterable, ExpressibleByArgument {
  case lossless, bounded

  var precision: TimelinePrecision { self == .lossless ? .lossless : .bounded() }
}

/// Opens histories, with the exit statuses that scripts rely on.
enum HistoryOpening {
  /// - Parameter checksRows: As ``HistoryStore/init(path:mode:checksRows:)``.
  static func forWriting(_ path: String, checksRows: Bool = true) throws -> HistoryStore {
    try reporting { try HistoryStore(path: path, mode: .create, checksRows: checksRows) }
  }

  /// - Parameter checksRows: As ``HistoryStore/init(path:mode:checksRows:)``.
  static func existing(
    _ path: String, mode: HistoryStore.Mode, checksRows: Bool = true
  ) throws -> HistoryStore {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ExitStatus.noInputExists.noting("\(path): no such file")
    }
    return try reporting(opening: mode == .readOnly) {
      try HistoryStore(path: path, mode: mode, checksRows: checksRows)
    }
  }

  /// Saves all parts of recordings with their sets, one transaction per person, and labels the sets.
  ///
  /// - Parameter paths: The paths that were searched for recordings. Stored names are relative to them, so
  ///   that the folders above stay private.
  static func save(
    _ processed: [ProcessedRecording], from paths: [String], in store: HistoryStore
  ) throws {
    try reporting {
      for (user, recordings) in Dictionary(grouping: processed, by: \.label.user) {
        let owner =
          try user.map {
            try knownUser($0, in: store) ?? store.users.findOrAdd(HistoryUser.Key($0))
          } ?? HistoryUser.ID.local
        let parts = recordings.flatMap { recording in
          recording.parts.map { (label: recording.label, part: $0) }
        }.filter { $0.part.prepared != nil }
        let prepared = try parts.compactMap { try $0.part.prepared?.get() }
        let saved = try store.save(
          prepared.map { $0.named(name($0.name, below: paths)) }, user: owner)
        for (part, saved) in zip(parts, saved) where !saved.isUnderWay {
          try store.label(
            sets: saved.sets.map(\.id), exercise: part.label.exercise, weight: part.label.weight,
            number: part.label.set, reps: part.label.reps)
        }
      }
    }
  }

  /// Returns a function that spells exercises like the history. Comparison ignores case and accents.
  static func spelling(in store: HistoryStore) throws -> @Sendable (String) -> String {
    let known = Dictionary(
      try reporting { try store.exerciseNames() }.map { ($0.foldedForSearch, $0) },
      uniquingKeysWith: { first, _ in first })
    return { known[$0.foldedForSearch] ?? $0 }
  }

  /// Returns a recording's name relative to the searched folders.
  static func name(_ name: String, below paths: [String]) -> String {
    for path in paths.sorted(by: { $0.count > $1.count }) {
      let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
      if name.hasPrefix(folder + "/") { return String(name.dropFirst(folder.count + 1)) }
    }
    // The path names a file, or a folder that is one recording.
    return name.split(separator: "/").last.map(String.init) ?? name
  }

  /// Runs a body that reads a history, with messages and exit statuses for its errors.
  static func reading<T>(_ body: () throws -> T) throws -> T { try reporting(opening: true, body) }

  /// Runs a body that writes a history, with messages and exit statuses for its errors.
  static func writing<T>(_ body: () throws -> T) throws -> T { try reporting(body) }

  /// Runs a body, and converts a history's errors to a message and an exit status.
  ///
  /// - Parameters:
  ///   - opening: Whether the history is an input, so that an unreadable one counts as undecodable data.
  ///   - file: Name of the imported file, for messages.
  static func reporting<T>(
    opening: Bool = false, importing file: String? = nil, _ body: () throws -> T
  ) throws -> T {
    do {
      return try ProgressLine.during(opening ? "reading the history" : "writing the history", body)
    } catch {
      throw reported(error, opening: opening, importing: file)
    }
  }

  /// Writes a message about an error of a history or a sync.
  ///
  /// - Returns: The exit status, or the error itself if it is of another kind.
  static func reported(
    _ error: any Error, opening: Bool = false, importing file: String? = nil
  ) -> any Error {
    let status: ExitCode
    var prefix = ""
    switch error {
    case let error as HistoryError:
      switch error {
      case .notFound: status = ExitStatus.noInputExists
      case .invalidValue, .ambiguous: status = ExitCode.validationFailure
      case .cannotOpen, .notADatabase, .notAHistory, .newerSchema, .damaged:
        status = opening ? ExitStatus.noInputDecoded : ExitStatus.cannotCreateOutput
      case .diskFull, .cannotWrite, .readOnly, .busy, .claimed, .replaced, .failed:
        status = ExitStatus.cannotWriteOutput
      }
    case let error as SyncError:
      switch error {
      case .unreachable: status = ExitStatus.tryAgain
      case .badAddress: status = ExitCode.validationFailure
      case .refused, .otherVersion, .damagedSamples: status = ExitStatus.someInputsFailed
      }
    case is RuleViolation, is PlanFileError:
      status = error is RuleViolation ? ExitCode.validationFailure : ExitStatus.noInputDecoded
      if let file { prefix = "\(file): " }
    case is TimelineError:
      status = opening ? ExitStatus.noInputDecoded : ExitStatus.cannotWriteOutput
    default: return error
    }
    StandardStreams.note("\(prefix)\(error)")
    return status
  }
}

/// Arguments that name a history and a set in it.
struct StoreArgument: ParsableArguments {
  @Argument(help: "The history.", completion: .file(extensions: ["sqlite"]))
  var store: String

  /// - Parameters:
  ///   - user: The person whose set it must be; nil for any person.
  ///   - checksRow: As ``HistoryStore/set(_:user:checksRow:)``.
  func set(
    _ reference: String, in history: HistoryStore, user: HistoryUser.ID? = nil,
    checksRow: Bool = true
  ) throws -> HistorySetRow {
    try StoredReference(reference).set(in: history, store: store, user: user, checksRow: checksRow)
  }

  /// Returns a set that will be changed, like ``set(_:in:user:checksRow:)``.
  func setToChange(
    _ reference: String, in history: HistoryStore, user: HistoryUser.ID? = nil,
    checksRow: Bool = true
  ) throws -> HistorySetRow {
    try StoredReference(reference).setToChange(
      in: history, store: store, user: user, checksRow: checksRow)
  }
}
