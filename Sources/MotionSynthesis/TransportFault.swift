/// What the transport of chunks does wrong.
package enum TransportFault: String, Sendable, Hashable, CaseIterable, Codable {
  /// About every eighth chunk arrives some chunks later; the last one of a set may arrive after
  /// `endSet`.
  case late
  /// About every sixth chunk arrives a second time.
  case duplicated
  /// Neighbours change places.
  case reordered
  /// About every tenth chunk never arrives; at least one of a recording.
  case lost
}
