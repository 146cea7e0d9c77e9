/// The ground truth of written recordings as CSV: labels for `evaluate` by set, and all reps with phases.
package struct TruthTable: Sendable {
  /// The columns of ``labels``. `start` and `end` are in seconds in the recording's own time column;
  /// `rep_times` and `partial_times` are `start-end` pairs in the same seconds, separated by `;`.
  package static let labelColumns = [
    "recording", "reps", "start", "end", "exercise", "rep_times", "partials", "partial_times",
    "set", "reps_per_side", "reps_both_sides", "alternation", "style", "difficulty", "faults",
    "transport", "rate", "format", "velocity_loss", "seed",
  ]

  /// The columns of ``reps``. Times are in seconds in the recording's own time column, angles in degrees;
  /// `kind` is `full` or `partial`.
  package static let repColumns = [
    "recording", "set", "rep", "kind", "start", "end", "out_start", "out_end", "back_start",
    "back_end", "concentric_s", "eccentric_s", "range", "rotation_deg", "forearm_deg",
    "peak_rad_s",
  ]

  private var labelRows: [String] = []
  private var repRows: [String] = []

  package init() {}

  /// Adds a recording as written by `writer`.
  package mutating func add(_ made: SyntheticRecording, writer: RecordingWriter) {
    let offset = writer.timeOffset(of: made)
    func time(_ value: Double) -> String { TextOutput.fixed(value + offset, decimals: 4) }
    func pairs(_ reps: [TrueRep]) -> String {
      reps.map { time($0.start) + "-" + time($0.end) }.joined(separator: ";")
    }
    func names<Fault: RawRepresentable<String>>(_ faults: [Fault]) -> String {
      faults.isEmpty ? "none" : faults.map(\.rawValue).sorted().joined(separator: "+")
    }
    for (index, set) in made.truth.enumerated() {
      let name = TextOutput.csvField(writer.recordingName(of: made, set: index))
      let fields: [String] = [
        name, String(set.reps.count), time(set.start), time(set.end), set.exercise.rawValue,
        pairs(set.reps), String(set.partialReps.count), pairs(set.partialReps),
        String(index + 1), String(set.repsPerSide), String(set.repsOfBothSides),
        set.exercise.alternation.rawValue, set.style.rawValue,
        made.options.difficulty.rawValue, names(Array(made.options.faults)),
        names(writer.format.declaresSets ? Array(writer.transportFaults) : []),
        made.options.rate.label, writer.format.rawValue,
        TextOutput.fixed(set.velocityLossPercent, decimals: 2), String(made.options.seed),
      ]
      labelRows.append(fields.joined(separator: ","))
      let all =
        set.reps.map { (kind: "full", rep: $0) }
        + set.partialReps.map { (kind: "partial", rep: $0) }
      for (number, item) in all.sorted(by: { $0.rep.start < $1.rep.start }).enumerated() {
        let rep = item.rep
        let phases = rep.phaseTimes(of: set.exercise)
        let times = [rep.start, rep.end, rep.outStart, rep.outEnd, rep.backStart, rep.backEnd]
        let figures = [
          phases.concentric, phases.eccentric, rep.range, rep.rotationDegrees, rep.forearmDegrees,
          rep.peakAngularSpeed,
        ]
        let row =
          [name, String(index + 1), String(number + 1), item.kind] + times.map(time)
          + figures.map { TextOutput.fixed($0, decimals: 4) }
        repRows.append(row.joined(separator: ","))
      }
    }
  }

  /// The content of `labels.csv`: one row per set.
  package var labels: [UInt8] { Self.table(Self.labelColumns, labelRows) }

  /// The content of `reps.csv`: one row per rep, including partial ones.
  package var reps: [UInt8] { Self.table(Self.repColumns, repRows) }

  private static func table(_ columns: [String], _ rows: [String]) -> [UInt8] {
    Array(([columns.joined(separator: ",")] + rows).map { $0 + "\n" }.joined().utf8)
  }
}
