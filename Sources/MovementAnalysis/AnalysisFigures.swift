extension RepAnalysis {
  /// The figures beside the duration by their names in `docs/analysis.md`, in the order of tables.
  package var figures: [(name: String, value: Double?)] {
    [
      ("concentricTime", concentricTime), ("eccentricTime", eccentricTime), ("farPause", farPause),
      ("pauseAfter", pauseAfter), ("rangeOfMotion", rangeOfMotion),
      ("relativeRange", relativeRange),
      ("peakRotationRate", peakRotationRate), ("meanRotationRate", meanRotationRate),
      ("similarity", similarity), ("restAfter", restAfter), ("rotationRange", rotationRange),
      ("meanConcentricSpeed", meanConcentricSpeed),
    ]
  }

  /// The names of ``figures``.
  package static var figureNames: [String] {
    RepAnalysis(number: 0, duration: 0).figures.map { $0.name }
  }
}

extension SetAnalysis {
  /// The figures of the set, without ``fatigue``, by their names in `docs/analysis.md`.
  package var figures: [(name: String, value: Double?)] {
    [
      ("consistency", consistency), ("range", range), ("tempoControl", tempoControl),
      ("intensity", intensity),
    ]
  }
}

extension SetAnalysis.Fatigue {
  /// The figures by their names in `docs/analysis.md`.
  package var figures: [(name: String, value: Double?)] {
    [
      ("slowdown", slowdown), ("rotationLoss", rotationLoss), ("velocityLoss", velocityLoss),
      ("rangeLoss", rangeLoss),
    ]
  }
}
