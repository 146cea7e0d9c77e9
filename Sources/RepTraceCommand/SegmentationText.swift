import Evaluation
import RepTrace

/// All segmentations of an evaluation with their features, one per line: the input of tools/fit-counter.
enum SegmentationText {
  static func lines(_ report: EvaluationReport, mode: EvaluationOptions.Mode) -> [String] {
    var lines = [
      (["recording", "mode", "stretch", "begin", "end", "row", "reps", "period", "first", "last"]
        + TracedWindow.columns).joined(separator: ",")
    ]
    for recording in report.traced {
      let id = recording.sets.first?.label.recording ?? ""
      var index = 0
      for (label, windows) in recording.windows.enumerated() {
        for window in windows {
          let number = mode == .given ? label : index
          index += 1
          for one in window.segmentations {
            let figures =
              [window.start, window.end].map { "\($0)" }
              + ["\(one.run)", "\(one.reps)", "\(one.period)", "\(one.start)", "\(one.end)"]
              + one.values.map { "\($0)" }
            lines.append(([id, mode.rawValue, "\(number)"] + figures).joined(separator: ","))
          }
        }
      }
    }
    return lines
  }
}
