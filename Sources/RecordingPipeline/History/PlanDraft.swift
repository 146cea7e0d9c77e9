/// A plan as a file has it: exercises by the names that a person wrote.
public struct PlanDraft: Sendable, Hashable {
  public struct Item: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
      /// Numbers that the file does not give are nil; the catalogue's then hold.
      case exercise(
        name: String, templateId: String?, sets: Int?, reps: Int?, weight: Double?, restTime: Int?,
        duration: Int?)
      /// Seconds.
      case pause(duration: Int)
    }

    /// Where in the file, for messages: "line 7", "plan 1, item 3".
    public var place: String
    public var content: Content
  }

  public var title: String?
  public var description: String
  public var items: [Item]
}

/// A file of plans that could not be understood.
public struct PlanFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where in the file; empty for the file as a whole.
  public var place: String
  public var expectation: String

  public var description: String {
    (place.isEmpty ? "" : "\(place): ") + "expected \(expectation)"
  }
}
