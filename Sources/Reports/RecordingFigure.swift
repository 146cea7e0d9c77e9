/// All that a picture of a recording or of a stored set shows. Times are seconds from the
/// recording's first sample.
///
/// The figure knows nothing of where its data come from; every text may be hostile.
public struct RecordingFigure: Sendable {
  public struct Series: Sendable {
    public var name: String
    /// One per time of the panel; NaN where nothing was measured.
    public var values: [Double]

    public init(name: String, values: [Double]) {
      self.name = name
      self.values = values
    }
  }

  /// Signals that share an axis.
  public struct Panel: Sendable {
    public var title: String
    /// What the axis says: the unit of the values, or what its ends mean.
    public var unit: String
    /// The unit of a single value; empty where it has none.
    public var measure: String
    /// In order.
    public var times: [Double]
    public var series: [Series]
    /// The axis's ends, where they are not those of the data.
    public var domain: ClosedRange<Double>?

    public init(
      title: String, unit: String, measure: String? = nil, times: [Double], series: [Series],
      domain: ClosedRange<Double>? = nil
    ) {
      self.title = title
      self.unit = unit
      self.measure = measure ?? unit
      self.times = times
      self.series = series
      self.domain = domain
    }
  }

  public struct Rep: Sendable {
    public var start: Double
    public var end: Double
    public var confidence: Double

    public init(start: Double, end: Double, confidence: Double) {
      self.start = start
      self.end = end
      self.confidence = confidence
    }
  }

  public struct Set: Sendable {
    public var number: Int
    public var start: Double
    public var end: Double
    public var reps: [Rep]
    public var confidence: Double

    public init(number: Int, start: Double, end: Double, reps: [Rep], confidence: Double) {
      self.number = number
      self.start = start
      self.end = end
      self.reps = reps
      self.confidence = confidence
    }
  }

  /// A movement that was looked at and not counted.
  public struct Candidate: Sendable {
    public var start: Double
    public var end: Double
    /// Whether it resembles a rep and falls short of it.
    public var isPartial: Bool
    /// Why it was not counted, in words.
    public var reason: String

    public init(start: Double, end: Double, isPartial: Bool, reason: String) {
      self.start = start
      self.end = end
      self.isPartial = isPartial
      self.reason = reason
    }
  }

  /// A span with a name: a phase.
  public struct Span: Sendable {
    public var start: Double
    public var end: Double
    public var name: String

    public init(start: Double, end: Double, name: String) {
      self.start = start
      self.end = end
      self.name = name
    }
  }

  public var title: String
  public var subtitle: String
  /// Where it comes from, in small print: a path.
  public var source = ""
  /// What happened at time 0, for the time axis.
  public var origin = "the recording began"
  /// Seconds that the time axis covers.
  public var span: ClosedRange<Double>
  public var panels: [Panel]
  public var sets: [Set]
  public var notCounted: [Candidate]
  public var gaps: [ClosedRange<Double>]
  public var phases: [Span]

  public init(
    title: String, subtitle: String = "", span: ClosedRange<Double>, panels: [Panel] = [],
    sets: [Set] = [], notCounted: [Candidate] = [], gaps: [ClosedRange<Double>] = [],
    phases: [Span] = []
  ) {
    self.title = title
    self.subtitle = subtitle
    self.span = span
    self.panels = panels
    self.sets = sets
    self.notCounted = notCounted
    self.gaps = gaps
    self.phases = phases
  }
}
