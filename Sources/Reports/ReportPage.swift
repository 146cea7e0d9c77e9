/// A page about many sets: a session, a history, or an evaluation. Every text may be hostile.
package struct ReportPage: Sendable {
  /// One set as a small multiple.
  package struct Card: Sendable {
    package var title: FigureTitle
    /// Lines of text under the title.
    package var notes: [String]
    /// Seconds since the set began against −1 to +1; empty where there is no curve.
    package var curve: [(time: Double, movement: Double)]
    /// Seconds since the set began at which reps complete.
    package var repEnds: [Double]
    package var duration: Double
    /// By what cards are sorted, beside their order.
    package var reps: Int
    package var confidence: Double
    package var slowdown: Double?
    /// The set's plot, folded away at first.
    package var plot: RecordingFigure?

    package init(
      title: FigureTitle, notes: [String], curve: [(time: Double, movement: Double)],
      repEnds: [Double], duration: Double, reps: Int, confidence: Double = 0,
      slowdown: Double? = nil, plot: RecordingFigure? = nil
    ) {
      self.title = title
      self.notes = notes
      self.curve = curve
      self.repEnds = repEnds
      self.duration = duration
      self.reps = reps
      self.confidence = confidence
      self.slowdown = slowdown
      self.plot = plot
    }
  }

  /// Values of sets in order; nil where a set does not support the figure.
  package struct Trend: Sendable {
    package var title: String
    package var unit: String
    package var domain: ClosedRange<Double>
    package var series: [(name: String, values: [Double?])]
    /// Whether lines join the sets, which must be of one exercise then.
    package var isJoined: Bool

    package init(
      title: String, unit: String, domain: ClosedRange<Double>,
      series: [(name: String, values: [Double?])], isJoined: Bool
    ) {
      self.title = title
      self.unit = unit
      self.domain = domain
      self.series = series
      self.isJoined = isJoined
    }
  }

  /// Sets that belong together: those of an exercise and person. It can be folded away.
  package struct Group: Sendable {
    package var title: String
    package var subtitle: String
    package var trends: [Trend]
    package var cards: [Card]

    package init(title: String, subtitle: String, trends: [Trend], cards: [Card]) {
      self.title = title
      self.subtitle = subtitle
      self.trends = trends
      self.cards = cards
    }
  }

  /// One bin of stated confidence against what came true.
  package struct ReliabilityBin: Sendable {
    package var count: Int
    package var confidence: Double
    package var rate: Double
    package var interval: ClosedRange<Double>

    package init(count: Int, confidence: Double, rate: Double, interval: ClosedRange<Double>) {
      self.count = count
      self.confidence = confidence
      self.rate = rate
      self.interval = interval
    }
  }

  package struct Table: Sendable {
    package var columns: [String]
    /// Columns of numbers, which are set to the right.
    package var numeric: Swift.Set<Int>
    package var rows: [[String]]

    package init(columns: [String], numeric: Swift.Set<Int>, rows: [[String]]) {
      self.columns = columns
      self.numeric = numeric
      self.rows = rows
    }
  }

  package enum Section: Sendable {
    case groups(title: String, [Group])
    /// Words and what they mean, folded away at first.
    case glossary(title: String, [(word: String, meaning: String)])
    /// Pairs of counted and true reps.
    case confusion(title: String, [(counted: Int, truth: Int)])
    case reliability(title: String, [ReliabilityBin])
    case table(title: String, Table)
    case figures(title: String, [RecordingFigure])
    /// Sections side by side where the page is wide enough.
    indirect case beside([Section])
  }

  package var title: String
  package var subtitle: String
  /// Where it comes from, in small print.
  package var source = ""
  package var facts: [(name: String, value: String)]
  package var sections: [Section]

  package init(
    title: String, subtitle: String = "", facts: [(name: String, value: String)] = [],
    sections: [Section] = []
  ) {
    self.title = title
    self.subtitle = subtitle
    self.facts = facts
    self.sections = sections
  }
}
