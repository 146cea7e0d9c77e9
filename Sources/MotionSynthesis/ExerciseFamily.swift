/// Families of exercises with different wrist motion.
package enum ExerciseFamily: String, Sendable, Hashable, CaseIterable, Codable {
  case curl
  case overheadPress
  case benchPress
  case row
  case lateralRaise
  case pulldown
  case pullUp
  /// The bar is on the back, so the wrist is nearly fixed relative to the trunk.
  case squat
  case deadlift
  /// The hand is on the floor, and the body moves.
  case pushUp
  /// One arm after the other; the watch is on one of them.
  case alternatingCurl
  /// One leg after the other; the watch registers both.
  case alternatingLunge

  /// True if a rep begins by lifting (curl); false if by lowering (squat).
  package var startsConcentric: Bool {
    switch self {
    case .benchPress, .squat, .pushUp, .alternatingLunge: false
    default: true
    }
  }

  /// The alternation between sides of the body.
  package var alternation: Alternation {
    switch self {
    case .alternatingCurl: .otherSideUnseen
    case .alternatingLunge: .bothSidesSeen
    default: .none
    }
  }
}
