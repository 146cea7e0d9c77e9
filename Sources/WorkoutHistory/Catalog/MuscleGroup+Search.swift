extension MuscleGroup {
  /// The group of a name in English or Portuguese, whatever its case and accents.
  public init?(named name: String) {
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
