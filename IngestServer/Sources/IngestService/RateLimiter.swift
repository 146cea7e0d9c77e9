import Synchronization

/// A token bucket for each person.
final class RateLimiter: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: ContinuousClock.Instant
  }

  private let burst: Double
  private let perSecond: Double
  private let buckets = Mutex<[String: Bucket]>([:])
  private static let bucketsAtMost = 50_000

  init(burst: Double, perSecond: Double) {
    self.burst = burst
    self.perSecond = perSecond
  }

  /// Takes a token.
  ///
  /// - Returns: Nil on success, or the number of seconds until a token is available.
  func take(_ person: String, now: ContinuousClock.Instant = .now) -> Int? {
    buckets.withLock { buckets in
      if buckets.count >= Self.bucketsAtMost {
        // A full bucket equals a new one.
        buckets = buckets.filter { refilled($0.value, now) < burst }
      }
      var bucket = buckets[person] ?? Bucket(tokens: burst, time: now)
      bucket.tokens = refilled(bucket, now)
      bucket.time = now
      defer { buckets[person] = bucket }
      guard bucket.tokens >= 1 else {
        return max(1, Int(((1 - bucket.tokens) / perSecond).rounded(.up)))
      }
      bucket.tokens -= 1
      return nil
    }
  }

  private func refilled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(burst, bucket.tokens + (now - bucket.time) / .seconds(1) * perSecond)
  }
}
