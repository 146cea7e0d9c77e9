/// A figure of an analysis: its names, unit and value. `docs/analysis.md` defines each.
public struct Figure<Analysis>: Sendable {
  /// The machine-readable name.
  public var key: String
  /// The name that is shown to people.
  public var title: String
  /// The unit of the shown value.
  public var unit: String
  /// Number of decimals of the shown value.
  public var decimals: Int
  /// The factor from the value to the shown value.
  public var scale: Double
  /// The value in machine-readable output; nil if the data cannot support it.
  public var value: @Sendable (Analysis) -> Double?

  init(
    _ key: String, _ title: String, _ unit: String, decimals: Int = 0, scale: Double = 1,
    _ value: @escaping @Sendable (Analysis) -> Double?
  ) {
    self.key = key
    self.title = title
    self.unit = unit
    self.decimals = decimals
    self.scale = scale
    self.value = value
  }

  /// Returns the value in the unit that is shown to people.
  public func shownValue(of analysis: Analysis) -> Double? { value(analysis).map { $0 * scale } }

  /// Returns the figure for a type that contains the analysis.
  func within<Whole>(_ part: @escaping @Sendable (Whole) -> Analysis?) -> Figure<Whole> {
    Figure<Whole>(key, title, unit, decimals: decimals, scale: scale) { [value] in
      part($0).flatMap { value($0) }
    }
  }
}

extension RepAnalysis {
  /// All figures except ``number`` and ``duration``, in the order of `reps.csv`.
  public static let figures: [Figure<RepAnalysis>] = [
    Figure("concentricTime", "lifting", "s", decimals: 2) { $0.concentricTime },
    Figure("eccentricTime", "lowering", "s", decimals: 2) { $0.eccentricTime },
    Figure("farPause", "far pause", "s", decimals: 2) { $0.farPause },
    Figure("pauseAfter", "near pause", "s", decimals: 2) { $0.pauseAfter },
    Figure("rangeOfMotion", "range", "°") { $0.rangeOfMotion },
    Figure("relativeRange", "of best range", "%", scale: 100) { $0.relativeRange },
    Figure("peakRotationRate", "peak turn", "°/s") { $0.peakRotationRate },
    Figure("meanRotationRate", "mean turn", "°/s") { $0.meanRotationRate },
    Figure("similarity", "similarity", "%", scale: 100) { $0.similarity },
    Figure("restAfter", "rest after", "s", decimals: 2) { $0.restAfter },
    Figure("rotationRange", "wrist turn", "°") { $0.rotationRange },
    // Meters per second if the wrist moves without rotating.
    Figure("meanConcentricSpeed", "speed", "°/s or m/s", decimals: 2) { $0.meanConcentricSpeed },
  ]
}

extension SetAnalysis {
  public static let consistencyOfReps = Figure<SetAnalysis>(
    "consistency", "consistency", "%", scale: 100
  ) { $0.consistency }

  /// The figures of the set as a whole.
  public static let figures: [Figure<SetAnalysis>] = [
    consistencyOfReps,
    Figure("range", "range kept", "%", scale: 100) { $0.range },
    Figure("tempoControl", "tempo control", "%", scale: 100) { $0.tempoControl },
    Figure("intensity", "speed kept", "%", scale: 100) { $0.intensity },
  ]

  public static let tempo = Figure<SetAnalysis>("typicalDuration", "tempo", "s", decimals: 1) {
    $0.typicalDuration
  }
  public static let turn = Figure<SetAnalysis>("typicalRotationRange", "wrist turn", "°") {
    $0.typicalRotationRange
  }

  /// Medians over the reps.
  public static let medians = [tempo, turn]

  public static let slowdown = Fatigue.slowdownOfReps.within { (set: SetAnalysis) in set.fatigue }
  public static let turnLost = Fatigue.turnLost.within { (set: SetAnalysis) in set.fatigue }

  /// The figures that are shown to people, including those of ``Fatigue``.
  public static let shownFigures: [Figure<SetAnalysis>] =
    medians + figures + Fatigue.figures.map { $0.within { (set: SetAnalysis) in set.fatigue } }
}

extension SetAnalysis.Fatigue {
  static let slowdownOfReps = Figure<SetAnalysis.Fatigue>("slowdown", "fatigue", "%") {
    $0.slowdown
  }
  static let turnLost = Figure<SetAnalysis.Fatigue>("rotationLoss", "wrist turn lost", "%") {
    $0.rotationLoss
  }

  public static let figures: [Figure<SetAnalysis.Fatigue>] = [
    slowdownOfReps, turnLost,
    Figure("velocityLoss", "speed lost", "%") { $0.velocityLoss },
    Figure("rangeLoss", "range lost", "%") { $0.rangeLoss },
  ]
}
