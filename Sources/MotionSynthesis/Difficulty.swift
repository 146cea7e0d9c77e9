/// The quality of execution of the sets.
package enum Difficulty: String, Sendable, Hashable, CaseIterable, Codable {
  /// Straight sets of full reps at an even tempo, with the usual rest around them.
  case ordinary
  /// In addition: strong fatigue, partial reps, rest-pause and drop sets, set-up pulls that resemble a rep,
  /// irregular tempo and range, restless rest.
  case hard
}
