/// Acknowledgements of chunks that wait until what holds the chunks is finalized.
struct HeldAcknowledgements {
  private var held: [(last: Double, event: StreamEvent)] = []
  private var newest = -Double.infinity

  /// Rest is acknowledged once samples have come that are so much newer, s.
  private static let restSeconds = 60.0

  /// - Parameter last: The time of the chunk's last sample, s; nil without samples.
  mutating func hold(_ event: StreamEvent, last: Double?) {
    let last = last ?? newest
    newest = max(newest, last)
    held.append((last, event))
  }

  /// Those of rest that is over for long enough.
  ///
  /// - Parameter open: Where a set begins that is under way, s; nil where none is.
  mutating func takeRest(before open: Double?) -> [StreamEvent] {
    // Looked through once for every so many seconds of signal.
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
