import Digests
import Foundation
import Motion
import WorkoutHistory

package struct PlanImportReport: Sendable {
  /// An exercise in the file, with its match in the catalog.
  package struct Exercise: Sendable, Hashable {
    /// The plan's title, or its automatic one.
    package var plan: String
    package var place: String
    /// The name as written in the file.
    package var name: String
    package var match: ExerciseNameMatcher.Match
  }

  package var plans: [WorkoutPlan] = []
  package var exercises: [Exercise] = []
  /// Titles of plans without any exercise in the catalog; they were not imported.
  package var emptyPlans: [String] = []

  /// Exercises left out of their plans because the catalog has no unambiguous match.
  package var unmatched: [Exercise] {
    exercises.filter {
      switch $0.match {
      case .exact, .similar: false
      case .ambiguous, .none: true
      }
    }
  }
}

/// Imports plans from files into a history. Exercises are matched with the catalog by name; unmatched ones
/// are reported and left out.
package struct PlanImporter: Sendable {
  package var user: HistoryUser.ID
  package var limits: PlanLimits
  /// The word before the letter in automatic titles.
  package var titlePrefix = WorkoutPlan.titlePrefix
  /// The creation date of new plans.
  package var date: Date?

  package init(user: HistoryUser.ID = .local, limits: PlanLimits = .none, date: Date?) {
    self.user = user
    self.limits = limits
    self.date = date
  }

  /// Imports all plans of a file, or none. Importing a file again changes nothing.
  ///
  /// - Throws: ``PlanFileError``; `RuleViolation` if a plan breaks a rule or exceeds a limit.
  package func importPlans(_ text: String, into store: HistoryStore) throws -> PlanImportReport {
    let drafts = try PlanFile.plans(in: text)
    let catalog = try store.catalog.exercises(of: user)
    let matcher = ExerciseNameMatcher(catalog)
    let byUUID = Dictionary(catalog.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    var report = PlanImportReport()
    var plans: [WorkoutPlan] = []
    for (index, draft) in drafts.enumerated() {
      let title = draft.title ?? "plan \(index + 1)"
      let uuid = Self.uuid("plan", "\(user)", "\(index)", text)
      var items: [PlanItem] = []
      for (position, item) in draft.items.enumerated() {
        let itemUUID = PlanItem.Key(Self.uuid("item", uuid, "\(position)"))
        switch item.content {
        case .pause(let duration):
          items.append(PlanItem(uuid: itemUUID, .pause(duration: duration)))
        case .exercise(let name, let templateId, let sets, let reps, let weight, let rest, let time):
          let match = matcher.match(name, templateId: templateId.map(CatalogExercise.Key.init(_:)))
          report.exercises.append(.init(plan: title, place: item.place, name: name, match: match))
          guard let found = match.exercise.flatMap({ byUUID[$0] }) else { continue }
          items.append(
            PlanItem(
              uuid: itemUUID,
              .exercise(
                PlannedExercise(
                  exercise: found.uuid, name: found.name,
                  time.map { .time(duration: $0) }
                    ?? .repetitions(
                      sets: sets ?? found.defaultSets, reps: reps ?? found.defaultReps,
                      restTime: rest ?? found.defaultRestTime),
                  weight: weight ?? found.defaultWeight))))
        }
      }
      guard items.contains(where: { $0.exercise != nil }) else {
        report.emptyPlans.append(title)
        continue
      }
      var plan = WorkoutPlan(uuid: WorkoutPlan.Key(uuid), title: draft.title, items: items)
      plan.description = draft.description
      plan.createdAt = date
      plans.append(plan)
    }
    report.plans = try store.plans.save(plans, user: user, limits: limits, titlePrefix: titlePrefix)
    return report
  }

  /// Returns a UUID derived from the parts, so that importing a file again gives the same ids.
  private static func uuid(_ parts: String...) -> String {
    var hash = SHA256()
    for part in parts {
      let bytes = Array(part.utf8)
      hash.update("\(bytes.count):".utf8)
      hash.update(bytes)
    }
    var digits = Array(hash.finalize().hexadecimalDigits.uppercased().prefix(32))
    // Version 8 (RFC 9562): custom.
    digits[12] = "8"
    digits[16] = "8"
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return parts.joined(separator: "-")
  }
}

extension ExerciseNameMatcher.Match {
  /// The exercise's UUID; nil without an unambiguous match.
  package var exercise: CatalogExercise.Key? {
    switch self {
    case .exact(let candidate), .similar(let candidate): candidate.uuid
    case .ambiguous, .none: nil
    }
  }
}
