/// All that a picture of a recording or of a stored set shows. Times are seconds from the
/// recording's first sample.
///
/// The figure knows nothing of where its data come from; every text may be hostile.
package struct RecordingFigure: Sendable {
  package struct Series: Sendable {
    package var name: String
    /// One per time of the panel; NaN where nothing was measured.
    package var values: [Double]

    package init(name: String, values: [Double]) {
      self.name = name
      self.values = values
    }
  }

  /// Signals that share an axis.
  package struct Panel: Sendable {
    package var title: String
    /// What the axis says: the unit of the values, or what its ends mean.
    package var unit: String
    /// The unit of a single value; empty where it has none.
    package var measure: String
    /// In order.
    package var times: [Double]
    package var series: [Series]
    /// The axis's ends, where they are not those of the data.
    package var domain: ClosedRange<Double>?

    package init(
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

  package struct Rep: Sendable {
    package var start: Double
    package var end: Double
    package var confidence: Double

    package init(start: Double, end: Double, confidence: Double) {
      self.start = start
      self.end = end
      self.confidence = confidence
    }
  }

  package struct Set: Sendable {
    package var number: Int
    package var start: Double
    package var end: Double
    package var reps: [Rep]
    package var confidence: Double

    package init(number: Int, start: Double, end: Double, reps: [Rep], confidence: Double) {
      self.number = number
      self.start = start
      self.end = end
      self.reps = reps
      self.confidence = confidence
    }
  }

  /// A movement that was looked at and not counted.
  package struct Candidate: Sendable {
    package var start: Double
    package var end: Double
    /// Whether it resembles a rep and falls short of it.
    package var isPartial: Bool
    /// Why it was not counted, in words.
    package var reason: String

    package init(start: Double, end: Double, isPartial: Bool, reason: String) {
      self.start = start
      self.end = end
      self.isPartial = isPartial
      self.reason = reason
    }
  }

  /// A span with a name: a phase.
  package struct Span: Sendable {
    package var start: Double
    package var end: Double
    package var name: String

    package init(start: Double, end: Double, name: String) {
      self.start = start
      self.end = end
      self.name = name
    }
  }

  package var title: String
  package var subtitle: String
  /// Where it comes from, in small print: a path.
  package var source = ""
  /// What happened at time 0, for the time axis.
  package var origin = "the recording began"
  /// Seconds that the time axis covers.
  package var span: ClosedRange<Double>
  package var panels: [Panel]
  package var sets: [Set]
  package var notCounted: [Candidate]
  package var gaps: [ClosedRange<Double>]
  package var phases: [Span]

  package init(
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
