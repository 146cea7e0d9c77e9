/// A plan as read from a file: exercises by the names that a person wrote.
package struct PlanDraft: Sendable, Hashable {
  package struct Item: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      /// An exercise; values that the file omits are nil, and the catalog's apply.
      case exercise(
        name: String, templateId: String?, sets: Int?, reps: Int?, weight: Double?, restTime: Int?,
        duration: Int?)
      /// A pause; its duration is in seconds.
      case pause(duration: Int)
    }

    /// Position in the file, for messages: "line 7", "plan 1, item 3".
    package var place: String
    package var content: Content
  }

  package var title: String?
  package var description: String
  package var items: [Item]
}

/// A file of plans that could not be understood.
package struct PlanFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Position in the file; empty for the file as a whole.
  package var place: String
  package var expectation: String

  package var description: String {
    (place.isEmpty ? "" : "\(place): ") + "expected \(expectation)"
  }
}
