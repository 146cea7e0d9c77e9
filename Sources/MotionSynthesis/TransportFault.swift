package enum TransportFault: String, Sendable, Hashable, CaseIterable, Codable {
  /// About one chunk in eight arrives a few chunks later; the last one of a set may arrive after `endSet`.
  case late
  /// About one chunk in six arrives twice.
  case duplicated
  /// Neighboring chunks swap places.
  case reordered
  /// About one chunk in ten is lost, at least one per recording.
  case lost
}
