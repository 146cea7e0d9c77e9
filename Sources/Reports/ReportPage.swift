import Evaluation

/// A page about many sets: a session, a history, or an evaluation. Every text may be hostile.
package struct ReportPage: Sendable {
  /// One figure over time: a small chart with its latest value above it.
  package struct Chart: Sendable {
    package struct Point: Sendable {
      /// The day since 1970, or the number of the set.
      package var x: Double
      package var y: Double
    }

    package struct Series: Sendable {
      package var name: String
      package var points: [Point]
      /// The points that a line joins; empty for points that stand alone.
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

  /// The sets of one exercise and person. It can be folded away.
  package struct Group: Sendable {
    package var title: String
    package var subtitle: String
    package var charts: [Chart]
  }

  /// A set that needs a look, with the reason.
  package struct Notice: Sendable {
    package var title: String
    package var detail: String
    package var reason: String
    /// The index of its row in the table of all sets.
    package var row: Int
  }

  /// A table; on a narrow screen each row becomes a block of named values.
  package struct Table: Sendable {
    package struct Column: Sendable {
      package var title: String
      package var isNumeric = false
      /// True if a first click on the title puts the smallest value on top.
      package var sortsUpwards = true
    }

    package struct Cell: Sendable, ExpressibleByStringLiteral {
      package var text: String
      /// Small print beside the text.
      package var detail = ""
      /// The number to sort by; nil to sort by the text.
      package var value: Double?
      /// True if the value should be looked at.
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
      /// The set's movement, drawn in the last cell.
      package var movement: MovementThumbnail?
      /// More about the set, in words, and its plot; folded away at first.
      package var details: [String] = []
      package var plot: RecordingFigure?
    }

    package var columns: [Column]
    package var rows: [Row]
    package var isSortable = false
  }

  package enum Section: Sendable {
    /// - Parameter more: the number of notices that are left out.
    case notices(title: String, [Notice], more: Int)
    case groups(title: String, [Group])
    /// Words and what they mean, folded away at first.
    case glossary(title: String, [(word: String, meaning: String)])
    /// Pairs of counted and true reps.
    case confusion(title: String, [(counted: Int, truth: Int)])
    case reliability(title: String, [CalibrationStatistics.Bin])
    case table(title: String, note: String, Table)
    case figures(title: String, [RecordingFigure])
    /// Sections side by side where the page is wide enough.
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
  /// - Parameter numeric: the columns of numbers.
  init(_ columns: [String], numeric: Swift.Set<Int> = [], rows: [[String]]) {
    self.init(
      columns: columns.enumerated().map { Column(title: $1, isNumeric: numeric.contains($0)) },
      rows: rows.map { Row(cells: $0.map { Cell($0) }) })
  }
}
