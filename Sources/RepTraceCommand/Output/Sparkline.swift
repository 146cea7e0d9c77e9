import RepTrace

/// A movement curve as a line of characters, with rep numbers in the line below.
enum Sparkline {
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Returns two lines: the mean movement of each column, and the ends of reps.
  ///
  /// - Parameter width: Maximum number of columns.
  static func lines(_ curve: MovementCurve, width: Int) -> (movement: String, reps: String) {
    guard let last = curve.points.last, last.time > 0, width > 1 else { return ("", "") }
    // More than six columns per second add no detail.
    let columns = min(width, max(8, last.time < 10_000 ? Int(last.time * 6) : width))
    var sums = [Double](repeating: 0, count: columns)
    var counts = [Int](repeating: 0, count: columns)
    func column(_ time: Double) -> Int {
      min(max(Int(time / last.time * Double(columns)), 0), columns - 1)
    }
    var marks = [Character](repeating: " ", count: columns)
    var free = 0
    for point in curve.points where point.time.isFinite && point.movement.isFinite {
      let index = column(point.time)
      sums[index] += point.movement
      counts[index] += 1
      guard let rep = point.completedRep else { continue }
      let text = Array(String(rep))
      let start = index - text.count + 1
      // The number ends at the rep's end. If it does not fit, a tick takes its place.
      if start >= free, start >= 0 {
        for (offset, character) in text.enumerated() { marks[start + offset] = character }
        free = index + 2
      } else if marks[index] == " " {
        marks[index] = "'"
      }
    }
    let movement = zip(sums, counts).map { sum, count -> Character in
      guard count > 0 else { return " " }
      return blocks[min(max(Int((sum / Double(count) + 1) / 2 * 7.999), 0), 7)]
    }
    return (String(movement), trimmed(String(marks)))
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }
}

/// Character pictures of a recording's sets.
enum RecordingSparklines {
  /// Returns the lines below the table of `process` for one recording.
  static func lines(_ processed: ProcessedRecording, width: Int) -> [String] {
    var result: [String] = []
    var number = 0
    for part in processed.parts {
      for set in part.sets {
        number += 1
        guard
          let curve = SetAnalyzer.movementCurve(of: set, samples: part.recording.samples)
        else { continue }
        let spark = Sparkline.lines(curve, width: width - 2)
        result.append("")
        result.append("\(TerminalText.printable(processed.name)), set \(number)")
        result.append("  " + spark.movement)
        result.append("  " + spark.reps)
      }
    }
    return result
  }
}
