/// What can be wrong with the samples themselves. Faults of the transport are in ``TransportFault``.
package enum SignalFault: String, Sendable, Hashable, CaseIterable, Codable {
  /// Sampling instants off by some milliseconds.
  case jitter
  /// Gaps of 0.2 to 1.2 s, about two a minute.
  case dropouts
  /// Rows repeated exactly, as some recorders write them.
  case repeatedRows
}
