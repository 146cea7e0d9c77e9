extension MuscleGroup {
  package init?(named name: String) {
    guard let group = Self.byName[name.foldedForSearch] else { return nil }
    self = group
  }

  private static let byName = Dictionary(
    allCases.flatMap { group in group.names.map { ($0.foldedForSearch, group) } },
    uniquingKeysWith: { $1 })
}
