import Motion
import RepTrace

/// What the counts of an evaluation rest on, as CSV: the input of docs/calibration.
enum EvidenceText {
  private static let measures: [(name: String, value: @Sendable (SetEvidence) -> Double)] = [
    ("period", { $0.periodSeconds }), ("mean", { $0.meanSimilarity }),
    ("least", { $0.leastSimilarity }),
    ("agreement", { $0.agreement }), ("margin", { $0.margin }),
    ("boundary", { $0.boundaryMotion }), ("half", { $0.halfSimilarity }),
    ("neighbour", { $0.neighbourSimilarity }), ("leftover", { $0.leftoverSimilarity }),
    ("edge_similarity", { $0.edgeSimilarity }), ("edge_energy", { $0.edgeEnergy }),
    ("energy_variation", { $0.energyVariation }), ("duration_variation", { $0.durationVariation }),
    ("longest_pause", { $0.longestPause }), ("rotation", { $0.rotationMeasured }),
    ("recalled", { $0.isRecalled ? 1 : 0 }), ("filled", { Double($0.filledReps) }),
    ("alternating", { $0.isAlternating ? 1 : 0 }),
  ]

  /// A row per counted set. `reps` is what the label with this number says and `total` what was
  /// counted for it. A label that covers a whole file has a row for each set counted in it, a set of
  /// several bouts a row for each of them, one that was missed a row without a set.
  static func sets(_ report: EvaluationReport, columns: [String]) -> [String] {
    var lines = [
      (["recording", "mode"] + columns + [
        "label", "reps", "total", "counted", "declared", "confidence",
      ]
        + measures.map(\.name) + ["rows"]).joined(separator: ",")
    ]
    for (label, set) in report.sets.enumerated() {
      let head =
        [DelimitedLine.csv([set.label.recording]), report.mode.rawValue]
        + columns.map { DelimitedLine.csv([set.label.columns[$0] ?? ""]) }
        + [String(label + 1), String(set.label.reps), String(set.countedReps)]
      let counted = set.counted.filter { !$0.reps.isEmpty }
      for one in counted {
        guard let whole = one.evidence else { continue }
        // The count of a set of several bouts is right if that of each is.
        for evidence in whole.bouts.isEmpty ? [whole] : whole.bouts {
          let own =
            [
              String(evidence.reps.count), one.cause == .declared ? "1" : "0",
              decimal(one.confidence, 5),
            ] + measures.map { decimal($0.value(evidence), 5) } + [String(evidence.rows)]
          lines.append((head + own).joined(separator: ","))
        }
      }
      if counted.isEmpty {
        lines.append(
          (head + ["0"] + measures.map { _ in "" } + ["", "", ""]).joined(separator: ","))
      }
    }
    return lines
  }

  /// A row per counted rep of the sets whose labels have rep times.
  static func reps(_ report: EvaluationReport) -> [String] {
    var lines = [
      "recording,mode,is_rep,confidence,similarity,relative_similarity,energy,duration,is_edge,reps,"
        + "set_confidence"
    ]
    for set in report.sets {
      guard let timing = set.repTiming else { continue }
      var isTrue = timing.isTrue[...]
      for one in set.counted {
        let pairs = zip(one.reps, one.evidence?.reps ?? [])
        for ((rep, evidence), found) in zip(pairs, isTrue.prefix(one.reps.count)) {
          lines.append(
            [
              DelimitedLine.csv([set.label.recording]), report.mode.rawValue, found ? "1" : "0",
              decimal(rep.confidence, 5), decimal(evidence.similarity, 5),
              decimal(evidence.relativeSimilarity, 5), decimal(evidence.relativeEnergy, 5),
              decimal(evidence.relativeDuration, 5), evidence.isEdge ? "1" : "0",
              String(one.reps.count), decimal(one.confidence, 5),
            ].joined(separator: ","))
        }
        isTrue = isTrue.dropFirst(one.reps.count)
      }
    }
    return lines
  }
}
