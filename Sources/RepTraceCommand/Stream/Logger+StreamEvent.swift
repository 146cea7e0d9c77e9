import ArgumentParser
import Logging
import RepTrace

extension Logger {
  /// Returns a service's log. Messages are constant for each kind of line; the details are metadata.
  static func stream(level: Logger.Level) -> Logger {
    Logger(label: "reptrace.stream") { _ in JSONLinesLogHandler(logLevel: level) }
  }

  /// Logs a finished set, a refused message or a warning; ignores other events.
  func note(_ event: StreamEvent) {
    switch event.kind {
    case .setEnded(let set):
      info("set finished", metadata: Self.metadata(of: event).adding(set))
    case .setRevised(let set, _):
      info("set revised", metadata: Self.metadata(of: event).adding(set))
    case .error(let kind, let text, _):
      warning("message refused", metadata: Self.metadata(of: event).adding(kind, text))
    case .warning(let kind, let text):
      warning("warning", metadata: Self.metadata(of: event).adding(kind, text))
    default: break
    }
  }

  private static func metadata(of event: StreamEvent) -> Logger.Metadata {
    var metadata: Logger.Metadata = [:]
    metadata["line"] = event.line.map { .stringConvertible($0) }
    metadata["sessionId"] = event.identity.sessionId.map { .string($0) }
    metadata["setId"] = event.identity.setId.map { .string($0) }
    metadata["set"] = event.setNumber.map { .stringConvertible($0) }
    return metadata
  }
}

extension Logger.Metadata {
  fileprivate func adding(_ set: CountedSet) -> Self {
    merging([
      "reps": .stringConvertible(set.reps.count), "confidence": .stringConvertible(set.confidence),
    ]) { $1 }
  }

  fileprivate func adding(_ kind: String, _ reason: String) -> Self {
    merging(["kind": .string(kind), "reason": .string(reason)]) { $1 }
  }
}

extension Logger.Level {
  init(argument: String) throws {
    guard let level = Self(rawValue: argument) else {
      let levels = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(argument)' is not a level: use one of \(levels)")
    }
    self = level
  }
}
