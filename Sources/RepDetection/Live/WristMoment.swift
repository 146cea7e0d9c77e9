/// What the wrist does at one frame, as far as counting a first rep asks.
struct WristMoment: Sendable, Codable {
  /// Seconds on the samples' clock.
  var time: Double
  var attitude: Attitude
  /// Rad/s.
  var speed: Float
}

/// Watches whether the wrist is back where a movement began.
struct ReturnWatch: Sendable, Codable {
  /// Where the wrist came nearest to its starting posture.
  private(set) var nearest: WristMoment?
  private var nearestDistance = Float.infinity
  private var restingSince: Double?

  /// Whether the movement has ended: the wrist is back and rests, or is back and turns out again.
  ///
  /// - Parameters:
  ///   - distance: from the starting posture, and `range`: the largest so far.
  ///   - peakSpeed: of the movement, rad/s.
  mutating func hasEnded(
    at moment: WristMoment, distance: Float, range: Float, peakSpeed: Float,
    _ configuration: ProvisionalConfiguration
  ) -> Bool {
    if distance <= configuration.returnedShare * range, distance < nearestDistance {
      nearestDistance = distance
      nearest = moment
    }
    guard nearest != nil else { return false }
    if distance > nearestDistance + configuration.turnedAgainShare * range { return true }
    guard moment.speed < configuration.restingShare * peakSpeed else {
      restingSince = nil
      return false
    }
    let since = restingSince ?? moment.time
    restingSince = since
    return moment.time - since >= configuration.restingSeconds - 0.001
  }
}
