/// How the sides of the body take turns, and what of it the watch feels.
package enum Alternation: String, Sendable, Hashable, Codable {
  case none
  /// The watch's arm works every other time: the reps of both sides are twice those that are seen.
  case otherSideUnseen
  /// Every rep moves the watch: the reps of one side are half of those that are seen.
  case bothSidesSeen
}
