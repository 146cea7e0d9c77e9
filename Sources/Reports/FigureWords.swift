import RepDetection
import TextFormats

/// Figures as self-explanatory text.
package enum FigureWords {
  /// Describes the confidence of a count or a rep.
  static func confidence(_ confidence: Double) -> String {
    guard confidence.isFinite else { return "confidence unknown" }
    return "confidence \(figureDecimal(min(max(confidence, 0), 1) * 100, 0)) %"
  }

  /// Formats a number with thousands separators.
  static func number(_ value: Double, decimals: Int = 0) -> String {
    let text = figureDecimal(value, decimals)
    let digits = text.prefix { $0 != "." }
    guard digits.count > 3, digits.allSatisfy(\.isNumber) else { return text }
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return result + text.dropFirst(digits.count)
  }

  /// Formats a number with as many decimals as it needs, up to a limit.
  static func short(_ value: Double, decimals: Int) -> String {
    let text = number(value, decimals: decimals)
    guard text.contains(".") else { return text }
    let kept = text.reversed().drop { $0 == "0" }
    return String((kept.first == "." ? kept.dropFirst() : kept).reversed())
  }

  static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  static func weight(_ kilograms: Double) -> String { short(kilograms, decimals: 2) + " kg" }

  /// Returns the reason why a recording has no set: that of the longest movement examined.
  package static func reason(withoutSet rejections: [CandidateRejection]) -> String {
    let movements = rejections.filter { $0.subject != .window }
    let longest = (movements.isEmpty ? rejections : movements).max {
      $0.end - $0.start < $1.end - $1.start
    }
    return switch longest?.reason {
    case .tooFewReps(let count, let needed):
      "only \(counted(count, "similar movement")) in a row; a set has at least \(needed)"
    case .tooFast: "the movements are too fast for reps"
    case .unlikely: "movements repeat, but hardly like an exercise"
    case .tooWeak, .quiet, .motionless: "the wrist hardly moves"
    case .unlike, .nothingAlike, .noSegmentation: "no movement repeats"
    case .walking: "walking"
    case .tooSmall, .lessProbable, nil: "no movement repeats"
    }
  }

  /// Formats a duration for readers.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "–" }
    guard seconds >= 120 else { return "\(figureDecimal(seconds, 1)) s" }
    let minutes = Int((seconds / 60).rounded())
    return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

extension RecordingFigure {
  /// A description of the picture for people who cannot see it.
  var textDescription: String {
    var sentences = [
      "\(FigureWords.duration(span.upperBound - span.lowerBound)) of movement with "
        + "\(counted(sets.count, "set")) and "
        + "\(counted(sets.reduce(0) { $0 + $1.reps.count }, "rep"))."
    ]
    let described = sets.prefix(50)
    for set in described {
      sentences.append(
        "Set \(set.number): \(counted(set.reps.count, "rep")) from "
          + "\(figureDecimal(set.start, 0)) to \(figureDecimal(set.end, 0)) s, "
          + "\(FigureWords.confidence(set.confidence)).")
    }
    if sets.count > described.count {
      sentences.append("And \(sets.count - described.count) sets more.")
    }
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
