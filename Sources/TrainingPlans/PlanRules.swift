extension HistoryRules {
  package static let planTitle = 3...100
  package static let titlePrefix = 1...50
  package static let sets = 1...99
  package static let reps = 1...999
  /// Rest between the sets of a planned exercise, in seconds.
  package static let restTime = 0...600
  package static let duration = 1...3600
  package static let breakDuration = 1...600
  /// Default sets and reps of a catalog exercise.
  package static let defaultSets = 1...10
  package static let defaultReps = 1...50
  /// Default rests of a catalog exercise, in seconds.
  package static let defaultRestTimes = [30, 60, 90, 120, 180]

  /// Checks a link to a video: any web address, except that a YouTube address must name a video.
  static func videoURL(_ text: String?) throws(RuleViolation) -> String? {
    guard let text, !text.trimmed.isEmpty else { return nil }
    let url = text.trimmed
    let lower = url.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix),
      url.unicodeScalars.count <= 2000, !url.contains(where: \.isWhitespace)
    else { throw .videoURL(text) }
    let rest = lower.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != ":" }
    guard host.contains("."), !host.hasPrefix("."), !host.hasSuffix(".") else {
      throw .videoURL(text)
    }
    let path = rest.dropFirst(host.count)
    if host == "youtu.be" || host.hasSuffix(".youtu.be") {
      guard path.count > 1 else { throw .videoURL(text) }
    } else if host == "youtube.com" || host.hasSuffix(".youtube.com") {
      guard path.hasPrefix("/watch?"), path.contains("?v=") || path.contains("&v=") else {
        throw .videoURL(text)
      }
    }
    return url
  }
}

extension RuleViolation {
  static func videoURL(_ text: String) -> Self {
    Self("\"\(text)\" is not the address of a video.")
  }

  static func unknownMuscleGroup(_ text: String) -> Self {
    let groups = MuscleGroup.allCases.map(\.rawValue).joined(separator: ", ")
    return Self("\"\(text)\" is not a muscle group; there are \(groups).")
  }

  static func templateIdTaken(_ id: CatalogExercise.Key) -> Self {
    Self("Another exercise has the template id \(id).")
  }

  package static let emptyPlan = Self("Add at least one exercise to the plan.")
  static let incompleteOrder = Self("The order must name each of the person's plans once.")
  static func tooManyPlans(limit: Int) -> Self { Self("No more than \(limit) plans are allowed.") }
  static func tooManyExercises(limit: Int, found: Int) -> Self {
    Self("No more than \(limit) exercises are allowed in a plan, and it has \(found).")
  }

  static func tooManySets(limit: Int, found: Int) -> Self {
    Self("No more than \(limit) sets are allowed for an exercise, and it has \(found).")
  }

  static func exerciseInUse(plans: Int) -> Self {
    Self("The exercise is used in \(plans) plan\(plans == 1 ? "" : "s"); confirm that it shall go.")
  }
}
