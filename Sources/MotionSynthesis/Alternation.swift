/// The alternation between sides of the body, and which of them the watch registers.
package enum Alternation: String, Sendable, Hashable, Codable {
  case none
  /// The watch's arm performs every other rep, so both sides have twice the registered reps.
  case otherSideUnseen
  /// Every rep moves the watch, so one side has half of the registered reps.
  case bothSidesSeen
}
