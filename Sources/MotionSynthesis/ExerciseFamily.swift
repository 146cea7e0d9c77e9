/// Families of exercises that differ in how they move the wrist.
package enum ExerciseFamily: String, Sendable, Hashable, CaseIterable, Codable {
  case curl
  case overheadPress
  case benchPress
  case row
  case lateralRaise
  case pulldown
  case pullUp
  /// The bar on the back: the wrist is nearly fixed relative to the trunk.
  case squat
  case deadlift
  /// The hand stands on the floor, and the body moves.
  case pushUp
  /// One arm after the other; the watch is on one of them.
  case alternatingCurl
  /// One leg after the other; the watch feels both.
  case alternatingLunge

  /// Whether a rep begins by lifting (curl) or by lowering (squat).
  package var startsConcentric: Bool {
    switch self {
    case .benchPress, .squat, .pushUp, .alternatingLunge: false
    default: true
    }
  }

  /// How the sides of the body take turns.
  package var alternation: Alternation {
    switch self {
    case .alternatingCurl: .otherSideUnseen
    case .alternatingLunge: .bothSidesSeen
    default: .none
    }
  }
}
