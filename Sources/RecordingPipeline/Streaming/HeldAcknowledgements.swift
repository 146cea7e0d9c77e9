/// Acknowledgements of chunks whose sets are not final yet.
struct HeldAcknowledgements {
  private var held: [(last: Double, event: StreamEvent)] = []
  private var newest = -Double.infinity

  /// Age at which rest is acknowledged, relative to the newest sample, in seconds.
  private static let restSeconds = 60.0

  /// - Parameter last: Time of the chunk's last sample, in seconds; nil without samples.
  mutating func hold(_ event: StreamEvent, last: Double?) {
    let last = last ?? newest
    newest = max(newest, last)
    held.append((last, event))
  }

  /// Removes and returns the acknowledgements of rest that is old enough.
  ///
  /// - Parameter open: Start time of the open set, in seconds; nil if there is none.
  mutating func takeRest(before open: Double?) -> [StreamEvent] {
    // Scan only once per `restSeconds` of signal.
    guard let first = held.first, newest - first.last > Self.restSeconds else { return [] }
    let limit = min(newest - Self.restSeconds / 2, open ?? .infinity)
    let ready = held.filter { $0.last < limit }
    held.removeAll { $0.last < limit }
    return ready.map(\.event)
  }

  mutating func takeAll() -> [StreamEvent] {
    defer { held = [] }
    return held.map(\.event)
  }
}
