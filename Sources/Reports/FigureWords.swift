import TextFormats

/// Figures in words that need no explanation.
enum FigureWords {
  /// How sure a count or a rep is.
  static func sure(_ confidence: Double) -> String {
    guard confidence.isFinite else { return "not known how sure" }
    return "\(figureDecimal(min(max(confidence, 0), 1) * 100, 0)) % sure"
  }

  /// A span of time as people say it.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "–" }
    guard seconds >= 120 else { return "\(figureDecimal(seconds, 1)) s" }
    let minutes = Int((seconds / 60).rounded())
    return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

extension RecordingFigure {
  /// What the picture shows, for those who do not see it.
  var inWords: String {
    var sentences = [
      "\(FigureWords.duration(span.upperBound - span.lowerBound)) of movement with "
        + "\(counted(sets.count, "set")) and "
        + "\(counted(sets.reduce(0) { $0 + $1.reps.count }, "rep"))."
    ]
    let told = sets.prefix(50)
    for set in told {
      sentences.append(
        "Set \(set.number): \(counted(set.reps.count, "rep")) from "
          + "\(figureDecimal(set.start, 0)) to \(figureDecimal(set.end, 0)) s, "
          + "\(FigureWords.sure(set.confidence)).")
    }
    if sets.count > told.count { sentences.append("And \(sets.count - told.count) sets more.") }
    if !notCounted.isEmpty {
      sentences.append("\(counted(notCounted.count, "movement")) not counted.")
    }
    if !gaps.isEmpty {
      let lost = gaps.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
      sentences.append(
        "Samples are missing \(counted(gaps.count, "time")), "
          + "\(FigureWords.duration(lost)) in all.")
    }
    return sentences.joined(separator: " ")
  }
}
