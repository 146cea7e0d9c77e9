/// How long to wait before something is tried again: twice as long each time, up to a limit, and any
/// part of that by chance, so that copies that failed together do not come back together ("full
/// jitter").
public struct Backoff: Sendable, Hashable {
  /// The longest wait after the first failure, in seconds.
  public var first: Double
  /// The longest wait of all, in seconds.
  public var longest: Double
  /// How often something is tried before its error is final.
  public var attempts: Int

  public init(first: Double = 0.2, longest: Double = 30, attempts: Int = 8) {
    self.first = first
    self.longest = longest
    self.attempts = attempts
  }

  /// Seconds to wait after so many failures.
  public func delay(
    after failures: Int, using generator: inout some RandomNumberGenerator
  ) -> Double {
    var limit = first
    for _ in 1..<max(1, failures) where limit < longest { limit *= 2 }
    // Nothing to wait for where a setting is negative or no number.
    return .random(in: 0...max(0, min(limit, longest)), using: &generator)
  }

  /// Does something until it succeeds, fails for good, or has failed too often.
  func retrying<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
    var failures = 0
    while true {
      do {
        return try await body()
      } catch SyncError.unreachable(let reason) {
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
