/// The wrist's state at one frame, as needed for counting first reps.
struct WristMoment: Sendable, Codable {
  /// Time of the frame, in seconds on the samples' clock.
  var time: Double
  var attitude: Attitude
  /// Angular speed, in rad/s.
  var speed: Float
}

/// Detects when the wrist is back where a movement began.
struct ReturnDetector: Sendable, Codable {
  /// The moment nearest to the starting posture.
  private(set) var nearest: WristMoment?
  private var nearestDistance = Float.infinity
  private var restingSince: Double?

  /// Returns true if the movement has ended: the wrist is back and rests, or is back and turns out again.
  ///
  /// - Parameters:
  ///   - distance: Distance from the starting posture; `range` is the largest so far.
  ///   - peakSpeed: Peak speed of the movement, in rad/s.
  mutating func hasEnded(
    at moment: WristMoment, distance: Float, range: Float, peakSpeed: Float,
    _ configuration: ProvisionalConfiguration
  ) -> Bool {
    if distance <= configuration.returnedFraction * range, distance < nearestDistance {
      nearestDistance = distance
      nearest = moment
    }
    guard nearest != nil else { return false }
    if distance > nearestDistance + configuration.restingFraction * range { return true }
    guard moment.speed < configuration.restingFraction * peakSpeed else {
      restingSince = nil
      return false
    }
    let since = restingSince ?? moment.time
    restingSince = since
    return moment.time - since >= configuration.restingSeconds - 0.001
  }
}
