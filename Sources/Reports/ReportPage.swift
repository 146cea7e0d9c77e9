/// A page about many sets: a session, a history, or an evaluation. Every text may be hostile.
public struct ReportPage: Sendable {
  /// One set as a small multiple.
  public struct Card: Sendable {
    public var title: FigureTitle
    /// Lines of text under the title.
    public var notes: [String]
    /// Seconds since the set began against −1 to +1; empty where there is no curve.
    public var curve: [(time: Double, movement: Double)]
    /// Seconds since the set began at which reps complete.
    public var repEnds: [Double]
    public var duration: Double
    /// By what cards are sorted, beside their order.
    public var confidence: Double
    public var slowdown: Double?
    /// The set's plot, folded away at first.
    public var plot: RecordingFigure?

    public init(
      title: FigureTitle, notes: [String], curve: [(time: Double, movement: Double)],
      repEnds: [Double], duration: Double, confidence: Double = 0, slowdown: Double? = nil,
      plot: RecordingFigure? = nil
    ) {
      self.title = title
      self.notes = notes
      self.curve = curve
      self.repEnds = repEnds
      self.duration = duration
      self.confidence = confidence
      self.slowdown = slowdown
      self.plot = plot
    }
  }

  /// Values of sets in order; nil where a set does not support the figure.
  public struct Trend: Sendable {
    public var title: String
    public var unit: String
    public var domain: ClosedRange<Double>
    public var series: [(name: String, values: [Double?])]
    /// Whether lines join the sets, which must be of one exercise then.
    public var isJoined: Bool

    public init(
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

  /// Sets that belong together: those of an exercise. It can be folded away.
  public struct Group: Sendable {
    public var title: String
    public var subtitle: String
    public var trends: [Trend]
    public var cards: [Card]

    public init(title: String, subtitle: String, trends: [Trend], cards: [Card]) {
      self.title = title
      self.subtitle = subtitle
      self.trends = trends
      self.cards = cards
    }
  }

  /// One bin of stated confidence against what came true.
  public struct ReliabilityBin: Sendable {
    public var count: Int
    public var confidence: Double
    public var rate: Double
    public var interval: ClosedRange<Double>

    public init(count: Int, confidence: Double, rate: Double, interval: ClosedRange<Double>) {
      self.count = count
      self.confidence = confidence
      self.rate = rate
      self.interval = interval
    }
  }

  public struct Table: Sendable {
    public var columns: [String]
    /// Columns of numbers, which are set to the right.
    public var numeric: Swift.Set<Int>
    public var rows: [[String]]

    public init(columns: [String], numeric: Swift.Set<Int>, rows: [[String]]) {
      self.columns = columns
      self.numeric = numeric
      self.rows = rows
    }
  }

  public enum Section: Sendable {
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

  public var title: String
  public var subtitle: String
  /// Where it comes from, in small print.
  public var source = ""
  public var facts: [(name: String, value: String)]
  public var sections: [Section]

  public init(
    title: String, subtitle: String = "", facts: [(name: String, value: String)] = [],
    sections: [Section] = []
  ) {
    self.title = title
    self.subtitle = subtitle
    self.facts = facts
    self.sections = sections
  }
}
