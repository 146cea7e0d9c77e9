/// The contents of a picture of a recording or of a stored set. Times are seconds from the recording's first
/// sample.
///
/// Independent of the source of the data; all texts may be hostile.
package struct RecordingFigure: Sendable {
  package struct Series: Sendable {
    package var name: String
    /// One value for each time of the panel; NaN if not measured.
    package var values: [Double]

    package init(name: String, values: [Double]) {
      self.name = name
      self.values = values
    }
  }

  /// Signals with a common axis.
  package struct Panel: Sendable {
    package var title: String
    /// Label of the axis: the unit of the values, or the meaning of its ends.
    package var unit: String
    /// Unit of a single value; empty if it has none.
    package var measure: String
    /// In increasing order.
    package var times: [Double]
    package var series: [Series]
    /// Ends of the axis, if they differ from those of the data.
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

  /// A movement that was examined and not counted.
  package struct Candidate: Sendable {
    package var start: Double
    package var end: Double
    /// True for a partial rep.
    package var isPartial: Bool
    /// The reason, in words.
    package var reason: String

    package init(start: Double, end: Double, isPartial: Bool, reason: String) {
      self.start = start
      self.end = end
      self.isPartial = isPartial
      self.reason = reason
    }
  }

  /// A named span: a phase.
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
  /// Source of the data for the small print: a path.
  package var source = ""
  /// The event at time 0, for the time axis.
  package var origin = "the recording began"
  /// Range of the time axis, in seconds.
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
