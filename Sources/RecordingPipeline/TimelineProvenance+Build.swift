import Motion
import RepDetection
import TimelineFormat

extension TimelineProvenance {
  /// Returns this build of RepTrace as writer and detector, with the detector's settings that differ from
  /// this version's defaults, by their names in ``DetectorConfiguration`` and ``SetHints``.
  package static func ofThisBuild(
    detector: DetectorConfiguration = DetectorConfiguration()
  ) -> TimelineProvenance {
    let build = "reptrace \(libraryVersion)"
    return TimelineProvenance(writer: build, detector: build, settings: settings(of: detector))
  }

  private static func settings(of detector: DetectorConfiguration) -> [String: String] {
    let standard = texts(DetectorConfiguration())
    return texts(detector).filter { standard[$0.key] != $0.value }
  }

  /// Returns every setting as text. Patterns are only counted, since a timeline has a section for them.
  private static func texts(_ detector: DetectorConfiguration) -> [String: String] {
    var texts: [String: String] = [:]
    func add(_ value: Any, _ prefix: String) {
      for child in Mirror(reflecting: value).children {
        guard let label = child.label, label != "hints" else { continue }
        if Mirror(reflecting: child.value).displayStyle == .struct, label != "weights" {
          add(child.value, prefix + label + ".")
        } else {
          texts[prefix + label] = "\(child.value)"
        }
      }
    }
    add(detector, "")
    let hints = detector.hints
    texts["hints.expectedPeriodSeconds"] = hints.expectedPeriodSeconds.map { "\($0)" }
    texts["hints.isAlternating"] = hints.isAlternating.map { "\($0)" }
    texts["hints.targetReps"] = hints.targetReps.map { "\($0)" }
    texts["hints.minimumReps"] = hints.minimumReps.map { "\($0)" }
    texts["hints.exercise"] = hints.exercise.map(\.name)
    texts["hints.patterns"] = hints.patterns.isEmpty ? nil : "\(hints.patterns.count)"
    return texts
  }
}
