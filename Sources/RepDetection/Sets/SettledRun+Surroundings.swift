import Motion

extension SettledRun {
  /// Which reps were counted where two sides take turns (step 8): both, if halves of cycles were; and
  /// where the caller says so, the watch's alone if the wrist waits between reps for about as long as a
  /// rep takes.
  func sides(_ configuration: DetectorConfiguration) -> CountedSides? {
    if isAlternating { return .bothSides }
    guard isSaidToAlternate else { return nil }
    let pauses = zip(reps.dropFirst(), reps).map { $0.start - $1.end }
    let waits =
      median(pauses) >= configuration.unseenSidePause * median(reps.map { $0.end - $0.start })
    return waits ? .watchSide : .bothSides
  }

  /// Looks for what resembles its reps in the signal around it and was not counted: reps may have been
  /// missed. One search (``MovementTemplate/matches(in:configuration:)``).
  ///
  /// - Parameters:
  ///   - times: where to look, s on the samples' clock.
  ///   - counted: the rows of reps that were counted there, this one included.
  mutating func lookAround(
    in frames: FrameStore, _ times: ClosedRange<Double>, besides counted: [SettledRun],
    configuration: DetectorConfiguration
  ) {
    guard let template, let rows = frames.rows(from: times.lowerBound, to: times.upperBound) else {
      return
    }
    let origin = frames.times[rows.lowerBound]
    let tilt = Float(Math.cosine(configuration.recalledTiltDegrees / 180 * Double.pi))
    let strays = template.matches(in: frames.frames(rows)[...], configuration: configuration)
      .filter { match in
        let middle = origin + (match.start + match.end) / 2
        return match.postureCosine >= tilt
          && match.energy <= configuration.recalledEnergy.upperBound
          && counted.allSatisfy { run in
            guard let first = run.reps.first, let last = run.reps.last else { return true }
            return middle < first.start || middle > last.end
          }
      }
    reading.straySimilarity = strays.reduce(0) {
      max($0, Double($1.similarity * min($1.energy, 1).squareRoot()))
    }
  }
}
