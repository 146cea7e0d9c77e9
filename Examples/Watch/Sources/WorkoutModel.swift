import Observation
import RepDetection

/// The state of the screen.
@MainActor @Observable
final class WorkoutModel {
  private(set) var reps = 0
  private(set) var sets: [CountedSet] = []
  private(set) var phase = WorkoutPhase.rest

  /// - Parameter onPhase: Receives each change between execution and rest.
  func follow(_ recorder: MotionRecorder, onPhase: (WorkoutPhase) -> Void = { _ in }) async {
    for await event in recorder.events {
      switch event {
      case .setStarted: reps = 0
      case .rep(_, let count, _), .repCorrected(_, let count): reps = count
      case .setEnded(_, let set): sets.append(set)
      case .phase(_, _, let next):
        phase = next
        onPhase(next)
      case .partialRep, .setCancelled: break
      }
    }
  }
}
