import ArgumentParser
import Foundation
import RepTrace

/// How the samples of a recording are kept in a history.
enum TimelineChoice: String, CaseIterable, ExpressibleByArgument {
  case lossless, bounded

  var precision: TimelinePrecision { self == .lossless ? .lossless : .bounded() }
}

/// Opening histories, with the exit statuses that scripts rely on.
enum HistoryOpening {
  static func forWriting(_ path: String) throws -> HistoryStore {
    ignoreFileSizeSignal()
    return try reporting { try HistoryStore(path: path, mode: .create) }
  }

  static func existing(_ path: String, mode: HistoryStore.Mode) throws -> HistoryStore {
    ignoreFileSizeSignal()
    guard FileManager.default.fileExists(atPath: path) else {
      StandardStreams.note("\(path): no such file")
      throw ExitStatus.noInputExists
    }
    return try reporting(opening: mode == .readOnly) { try HistoryStore(path: path, mode: mode) }
  }

  /// A limit on the size of files is an error of writing, not the end of the process.
  private static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

  /// Saves every part of recordings with the sets counted in it, in one transaction.
  static func save(_ processed: [ProcessedRecording], in store: HistoryStore) throws {
    try reporting {
      _ = try store.save(try processed.flatMap(\.parts).compactMap { try $0.prepared?.get() })
    }
  }

  /// Runs a body and turns what goes wrong with a history into a message and an exit status.
  ///
  /// - Parameter opening: whether the history is an input, so that one that cannot be read is
  ///   data that could not be decoded.
  static func reporting<T>(opening: Bool = false, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as HistoryError {
      StandardStreams.note("\(error)")
      switch error {
      case .notFound: throw ExitStatus.noInputExists
      case .invalidValue: throw ExitCode.validationFailure
      case .cannotOpen, .notADatabase, .notAHistory, .newerSchema, .damaged:
        throw opening ? ExitStatus.noInputDecoded : ExitStatus.cannotCreateOutput
      case .diskFull, .cannotWrite, .readOnly, .busy, .claimed, .replaced, .failed:
        throw ExitStatus.cannotWriteOutput
      }
    } catch let violation as RuleViolation {
      StandardStreams.note("\(violation)")
      throw ExitCode.validationFailure
    } catch let error as PlanFileError {
      StandardStreams.note("\(error)")
      throw ExitStatus.noInputDecoded
    } catch let error as TimelineError {
      StandardStreams.note("\(error)")
      throw opening ? ExitStatus.noInputDecoded : ExitStatus.cannotWriteOutput
    }
  }
}

/// The arguments that name a history and a set in it.
struct StoreArgument: ParsableArguments {
  @Argument(help: "The history.", completion: .file(extensions: ["sqlite"]))
  var store: String

  func set(_ reference: String, in history: HistoryStore) throws -> HistorySetRow {
    guard let row = try HistoryOpening.reporting(opening: true, { try history.set(reference) })
    else {
      StandardStreams.note("\(store): no set named or numbered \"\(reference)\"")
      throw ExitStatus.noInputExists
    }
    return row
  }
}
