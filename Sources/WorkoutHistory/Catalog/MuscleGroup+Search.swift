extension MuscleGroup {
  /// Finds a group by its English or Portuguese name, ignoring case and accents.
  package init?(named name: String) {
    guard let group = Self.byName[name.foldedForSearch] else { return nil }
    self = group
  }

  private static let byName: [String: MuscleGroup] = {
    var groups: [String: MuscleGroup] = [:]
    for group in allCases {
      for name in group.names { groups[name.foldedForSearch] = group }
    }
    return groups
  }()
}
