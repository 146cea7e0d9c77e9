/// A fault in the samples. For faults of the transport, see ``TransportFault``.
package enum SignalFault: String, Sendable, Hashable, CaseIterable, Codable {
  /// Sampling times off by a few milliseconds.
  case jitter
  /// Gaps of 0.2 to 1.2 s, about two per minute.
  case dropouts
  /// Exact copies of rows, as written by some recorders.
  case repeatedRows
}
