import RepDetection

/// What the screen of a watch shows: counts on the main actor, sample by sample.
@MainActor
final class WorkoutModel {
  private(set) var reps = 0
  private(set) var sets: [CountedSet] = []
  private var detector = RepDetector()

  /// In an app: `motion.startDeviceMotionUpdates(to: .main) { … model.take(MotionSample($0)) }`.
  func take(_ sample: MotionSample) {
    detector.append(sample, onEvent: handle)
  }

  func finish() {
    detector.finish(onEvent: handle)
  }

  private func handle(_ event: DetectionEvent) {
    switch event {
    case .rep(_, let count, _), .repCorrected(_, let count): reps = count
    case .setEnded(_, let set): sets.append(set)
    default: break
    }
  }
}
