/// Exponential backoff with full jitter, so that copies that failed together do not retry together.
public struct Backoff: Sendable, Hashable {
  /// Longest delay after the first failure, in seconds.
  package var first: Double
  package var longest: Double
  package var attempts: Int

  public init(first: Double = 0.2, longest: Double = 30, attempts: Int = 8) {
    self.first = first
    self.longest = longest
    self.attempts = attempts
  }

  package func delay(
    after failures: Int, using generator: inout some RandomNumberGenerator
  ) -> Double {
    var limit = first
    for _ in 1..<max(1, failures) where limit < longest { limit *= 2 }
    // A negative setting or NaN means no delay.
    return .random(in: 0...max(0, min(limit, longest)), using: &generator)
  }

  func retrying<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
    var failures = 0
    while true {
      do { return try await body() } catch SyncError.unreachable(let reason) {
        failures += 1
        guard failures < attempts else { throw SyncError.unreachable(reason: reason) }
        try await wait(after: failures)
      }
    }
  }

  func wait(after failures: Int) async throws {
    var generator = SystemRandomNumberGenerator()
    try await Task.sleep(for: .seconds(delay(after: failures, using: &generator)))
  }
}
