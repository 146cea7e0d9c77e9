import GRDB

extension HistoryStore {
  /// Notes what was done in sets, where their source did not say so: the exercise's name and the
  /// weight. What is known already stays, except for the weight.
  ///
  /// - Parameters:
  ///   - sets: Rows of history; those of a workout under way are passed over.
  ///   - weight: In kilograms; nil leaves it as it is.
  /// - Throws: ``RuleViolation`` for a weight that cannot be.
  public func label(sets: [Int64], exercise: String? = nil, weight: Double? = nil) throws {
    guard !sets.isEmpty, exercise != nil || weight != nil else { return }
    try HistoryRules.check(weight, .weight, HistoryRules.weight)
    try write { db in
      for id in sets {
        if let exercise {
          try db.execute(
            cached: """
              UPDATE historyExercise SET name = ?
              WHERE id = (SELECT exerciseId FROM historySet WHERE id = ?) AND name IS NULL
              """, arguments: [exercise, id])
        }
        if let weight {
          try db.execute(
            cached: "UPDATE historySet SET weight = ? WHERE id = ? AND weight IS NOT ?",
            arguments: [weight, id, weight])
        }
      }
    }
  }
}
