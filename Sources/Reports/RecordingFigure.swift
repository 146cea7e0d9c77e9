import Motion

/// The contents of a picture of a recording or stored set. Times are seconds from the first sample.
///
/// Independent of the source of the data. All texts are untrusted.
package struct RecordingFigure: Sendable {
  package struct Series: Sendable {
    package var name: String
    /// One value for each time of the panel; NaN if not measured.
    package var values: [Double]
  }

  /// Signals with a common axis.
  package struct Panel: Sendable {
    package var title: String
    /// Label of the axis: the unit of the values, or the meaning of the axis ends.
    package var unit: String
    /// Unit of a single value; empty if it has none.
    package var measure: String
    /// Times in increasing order.
    package var times: [Double]
    package var series: [Series]
    /// Ends of the axis, if they differ from the range of the data.
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

  package struct Set: Sendable {
    package var number: Int
    package var start: Double
    package var end: Double
    package var reps: [CountedRep]
    package var confidence: Double
  }

  /// A movement that was examined and not counted.
  package struct Candidate: Sendable {
    package var start: Double
    package var end: Double
    /// True for a partial rep.
    package var isPartial: Bool
    /// The reason, as text.
    package var reason: String
  }

  /// A named time span: a phase.
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
  package var subtitle = ""
  /// Source of the data, a path, for the small print.
  package var source = ""
  /// The event at time 0, for the time axis.
  package var origin = "the recording began"
  /// Range of the time axis, in seconds.
  package var span: ClosedRange<Double>
  package var panels: [Panel] = []
  package var sets: [Set] = []
  package var notCounted: [Candidate] = []
  package var gaps: [ClosedRange<Double>] = []
  package var phases: [Span] = []
}
