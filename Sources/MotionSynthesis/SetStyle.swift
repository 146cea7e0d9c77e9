/// The shape of a set.
package enum SetStyle: String, Sendable, Hashable, CaseIterable, Codable {
  case straight
  /// Two or three clusters with 6 to 14 s of rest at the starting posture between them.
  case restPause
  /// Two or three clusters with a change to a lighter weight between them.
  case drop
}
