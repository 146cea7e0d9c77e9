import Motion
import MovementAnalysis
import TimelineFormat
import WorkoutHistory

/// How recordings are stored in a history.
package struct StorageOptions: Sendable {
  package var precision: TimelinePrecision
  package var provenance: TimelineProvenance

  package init(
    precision: TimelinePrecision = .lossless,
    provenance: TimelineProvenance = .ofThisBuild()
  ) {
    self.precision = precision
    self.provenance = provenance
  }
}

extension PreparedRecording {
  /// Analyzes and compresses a recording for a history.
  package init(_ recording: Recording, sets: [CountedSet], _ storage: StorageOptions) throws {
    try self.init(
      recording, sets: sets, precision: storage.precision, provenance: storage.provenance,
      movementCurves: MovementCurve.storedPoints(of: sets, in: recording))
  }
}

extension MovementCurve {
  /// Returns the movement curves of a recording's sets, as a timeline stores them.
  static func storedPoints(of sets: [CountedSet], in recording: Recording) -> [[MovementPoint]] {
    sets.map { SetAnalyzer.movementCurve(of: $0, samples: recording.samples)?.storedPoints ?? [] }
  }
}
