import ArgumentParser
import Foundation
import RepTrace

/// What is worth a line in a service's log.
enum LogLevel: String, CaseIterable, Comparable, ExpressibleByArgument {
  case debug, info, warning, error

  static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A service's log: one JSON object a line on standard error.
struct StreamLog: Sendable {
  /// Lines of a lower level are left out.
  var level: LogLevel

  /// Writes a line with the time, the level, a message that is always the same for the same kind of
  /// line, and the fields that `add` adds.
  func note(_ level: LogLevel, _ message: String, _ add: (inout JSONObjectText) -> Void = { _ in })
  {
    guard level >= self.level else { return }
    var object = JSONObjectText()
    object.add("time", Date().timeIntervalSince1970, decimals: 3)
    object.add("level", level.rawValue)
    object.add("message", message)
    add(&object)
    StandardStreams.note(object.text)
  }

  /// A finished set, a refused message, or something unusual.
  func note(_ event: StreamEvent) {
    switch event.kind {
    case .setEnded(let set): note(.info, "set finished", event, set)
    case .setRevised(let set, _): note(.info, "set revised", event, set)
    case .error(let kind, let text, _): note(.warning, "message refused", event, kind, text)
    case .warning(let kind, let text): note(.warning, "warning", event, kind, text)
    default: break
    }
  }

  private func note(_ level: LogLevel, _ message: String, _ event: StreamEvent, _ set: CountedSet) {
    note(level, message) { object in
      Self.add(event, to: &object)
      object.add("reps", set.reps.count)
      object.add("confidence", set.confidence, decimals: 4)
    }
  }

  private func note(
    _ level: LogLevel, _ message: String, _ event: StreamEvent, _ kind: String, _ text: String
  ) {
    note(level, message) { object in
      Self.add(event, to: &object)
      object.add("kind", kind)
      object.add("reason", text)
    }
  }

  private static func add(_ event: StreamEvent, to object: inout JSONObjectText) {
    if let line = event.line { object.add("line", line) }
    if let id = event.identity.sessionId { object.add("sessionId", id) }
    if let id = event.identity.setId { object.add("setId", id) }
    if let number = event.setNumber { object.add("set", number) }
  }
}
