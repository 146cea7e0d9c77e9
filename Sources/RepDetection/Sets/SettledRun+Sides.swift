import Motion
import SignalProcessing

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
}
