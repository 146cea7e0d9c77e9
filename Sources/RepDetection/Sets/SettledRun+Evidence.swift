import Motion
import SignalProcessing

extension SettledRun {
  /// The figures from which the confidence of its count is computed.
  var evidence: SetEvidence {
    let similarities = reps.map(\.similarity)
    let typical = median(similarities)
    let energies = reps.map(\.energy)
    let usual = median(energies)
    let durations = reps.map { max($0.end - $0.start, 1e-3) }
    let usualDuration = median(durations)
    let edges = [reps.first, reps.last].compactMap { $0 }
    let pauses = zip(reps.dropFirst(), reps).map { $0.start - $1.end }
    var evidence = SetEvidence(
      periodSeconds: period, meanSimilarity: Double(meanSimilarity),
      leastSimilarity: Double(similarities.min() ?? 0), agreement: reading.agreement,
      boundaryMotion: reading.boundaryMotion, rows: rows,
      rotationMeasured: rotationMeasured)
    evidence.isRecalled = isRecalled
    evidence.filledReps = filledReps
    evidence.isAlternating = isAlternating
    evidence.margin = reading.margin
    evidence.halfSimilarity = reading.halfSimilarity
    evidence.neighbourSimilarity = reading.neighbourSimilarity
    evidence.leftoverSimilarity = reading.leftoverSimilarity
    evidence.edgeSimilarity =
      typical > 0 ? Double((edges.map(\.similarity).min() ?? 0) / typical) : 0
    evidence.edgeEnergy = usual > 0 ? Double((edges.map(\.energy).min() ?? 0) / usual) : 0
    evidence.energyVariation = Self.spread(energies.map { Math.log(Double(max($0, 1e-9))) })
    evidence.durationVariation = Self.spread(durations.map { Math.log($0) })
    evidence.longestPause = usualDuration > 0 ? (pauses.max() ?? 0) / usualDuration : 0
    evidence.reps = repEvidence
    return evidence
  }

  /// What speaks for each of its reps.
  var repEvidence: [RepEvidence] {
    let typical = Double(median(reps.map(\.similarity)))
    let usualEnergy = Double(median(reps.map(\.energy)))
    let usualDuration = median(reps.map { $0.end - $0.start })
    func share(_ value: Double, of usual: Double) -> Double { usual > 0 ? value / usual : 1 }
    return reps.indices.map { i in
      let rep = reps[i]
      let isAlone = { (earlier: Int, later: Int) -> Bool in
        guard reps.indices.contains(earlier), reps.indices.contains(later) else { return true }
        return reps[later].start - reps[earlier].end > 1.5 * usualDuration
      }
      return RepEvidence(
        similarity: Double(rep.similarity),
        relativeSimilarity: share(Double(rep.similarity), of: typical),
        relativeEnergy: share(Double(rep.energy), of: usualEnergy),
        relativeDuration: share(rep.end - rep.start, of: usualDuration),
        isEdge: isAlone(i - 1, i) || isAlone(i, i + 1))
    }
  }

  /// Standard deviation.
  private static func spread(_ values: [Double]) -> Double {
    guard values.count > 1 else { return 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (square / Double(values.count - 1)).squareRoot()
  }
}
