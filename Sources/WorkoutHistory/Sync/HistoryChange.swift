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

extension HistoryEntity {
  init?(_ entity: SyncEntity) {
    guard let entity = Self.allCases.first(where: { SyncEntity($0) == entity }) else { return nil }
    self = entity
  }
}

extension SyncEntity {
  init(_ entity: HistoryEntity) {
    self =
      switch entity {
      case .user: .user
      case .exerciseTemplate: .exerciseTemplate
      case .split: .split
      case .workoutPlan: .workoutPlan
      case .workoutHistory: .workoutHistory
      case .historyExercise: .historyExercise
      case .historySet: .historySet
      }
  }
}
