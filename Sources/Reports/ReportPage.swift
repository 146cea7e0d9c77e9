import Evaluation

/// A page about many sets: a session, a history, or an evaluation. All texts are untrusted.
package struct ReportPage: Sendable {
  /// A small chart of one figure over time, with the latest value above it.
  package struct Chart: Sendable {
    package struct Point: Sendable {
      /// Day since 1970, or number of the set.
      package var x: Double
      package var y: Double
    }

    package struct Series: Sendable {
      package var name: String
      package var points: [Point]
      /// The points that a line connects; empty for separate points.
      package var line: [Point]
    }

    package enum Shape: Sendable { case points, bars }

    package var title: String
    package var unit: String
    package var decimals: Int
    /// The latest value, and its change over the time shown.
    package var latest: String
    package var change: String
    /// The meaning of points and lines, and the formula of an estimate.
    package var note: String
    package var shape: Shape
    /// True if `x` counts days, false if it counts sets.
    package var hasDates: Bool
    /// True if the axis begins at 0.
    package var startsAtZero: Bool
    package var series: [Series]
  }

  /// The sets of one exercise and person, as a foldable group.
  package struct Group: Sendable {
    package var title: String
    package var subtitle: String
    package var charts: [Chart]
  }

  /// A set to check, with the reason.
  package struct Notice: Sendable {
    package var title: String
    package var detail: String
    package var reason: String
    /// Index of the set's row in the table of all sets.
    package var row: Int
  }

  /// A table. On narrow screens each row becomes a block of named values.
  package struct Table: Sendable {
    package struct Column: Sendable {
      package var title: String
      package var isNumeric = false
      /// True if the first click on the title sorts in ascending order.
      package var sortsUpwards = true
    }

    package struct Cell: Sendable, ExpressibleByStringLiteral {
      package var text: String
      /// Small print beside the text.
      package var detail = ""
      /// The sort key; nil to sort by the text.
      package var value: Double?
      /// True if the value should be checked.
      package var isDoubtful = false

      package init(
        _ text: String, detail: String = "", value: Double? = nil, isDoubtful: Bool = false
      ) {
        self.text = text
        self.detail = detail
        self.value = value
        self.isDoubtful = isDoubtful
      }

      package init(stringLiteral text: String) { self.init(text) }
    }

    package struct Row: Sendable {
      package var cells: [Cell]
      /// The set's movement curve, drawn in the last cell.
      package var movement: MovementThumbnail?
      /// More text about the set; initially folded with its plot.
      package var details: [String] = []
      package var plot: RecordingFigure?
    }

    package var columns: [Column]
    package var rows: [Row]
    package var isSortable = false
  }

  package enum Section: Sendable {
    /// - Parameter more: Number of omitted notices.
    case notices(title: String, [Notice], more: Int)
    case groups(title: String, [Group])
    /// Terms with their meanings, initially folded.
    case glossary(title: String, [(word: String, meaning: String)])
    /// Pairs of counted and true reps.
    case confusion(title: String, [(counted: Int, truth: Int)])
    case reliability(title: String, [CalibrationStatistics.Bin])
    case table(title: String, note: String, Table)
    case figures(title: String, [RecordingFigure])
    /// Sections side by side, if the page is wide enough.
    indirect case beside([Section])
  }

  package var title: String
  package var subtitle = ""
  /// The source, in small print.
  package var source = ""
  package var facts: [(name: String, value: String)] = []
  package var sections: [Section] = []
}

extension ReportPage.Table {
  /// - Parameter numeric: Indices of the columns of numbers.
  init(_ columns: [String], numeric: Swift.Set<Int> = [], rows: [[String]]) {
    self.init(
      columns: columns.enumerated().map { Column(title: $1, isNumeric: numeric.contains($0)) },
      rows: rows.map { Row(cells: $0.map { Cell($0) }) })
  }
}
