import Foundation

/// Something that a history keeps in step with other copies of it.
public enum HistoryEntity: String, Sendable, Hashable, CaseIterable, Codable {
  case user, exerciseTemplate, split, workoutPlan, workoutHistory, historyExercise, historySet
}

/// A change of the history, as a client follows them: metadata alone, never samples.
///
/// Of an object that changed many times, the last change alone is told.
public struct HistoryChange: Sendable, Hashable {
  /// Grows with every change; what to ask from next.
  public var number: Int64
  public var entity: HistoryEntity
  /// The object's name for ever, among its owner's.
  public var key: String
  /// The owner's row; nil for what all share, and for a person who was deleted.
  public var user: HistoryUser.ID?
  public var isDeletion: Bool
  public var isSynced: Bool
  public var changedAt: Date
  /// The object as a JSON object; nil for a deletion.
  public var metadata: String?
}
