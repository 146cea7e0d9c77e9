import Foundation

/// A kind of object in the record of changes.
package enum HistoryEntity: String, Sendable, Hashable, CaseIterable, Codable {
  case user, exerciseTemplate, split, workoutPlan, workoutHistory, historyExercise, historySet
}

/// A change of the history, for clients that follow it: metadata only, never samples.
///
/// For an object that changed many times, only the last change is listed.
package struct HistoryChange: Sendable, Hashable {
  /// The number of the change, which increases with every change. Pass it to the next query.
  package var number: Int64
  package var entity: HistoryEntity
  /// The object's permanent key among its owner's objects.
  package var key: String
  /// The owner's row; nil for shared objects and for deleted persons.
  package var user: HistoryUser.ID?
  package var isDeletion: Bool
  package var isSynced: Bool
  package var changedAt: Date
  /// The object as JSON; nil for a deletion.
  package var metadata: String?
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
