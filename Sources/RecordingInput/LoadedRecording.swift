import ChunkDecoding
import Motion

/// A recording as it was read: what belongs together under one name.
package struct LoadedRecording: Sendable {
  /// Samples that are counted as a whole: those of one declared set, or those of none.
  package struct Part: Sendable {
    package var recording: Recording
    /// Whether the input says that this is a set.
    package var isDeclaredSet: Bool
    /// What was unusual about its chunks.
    package var statistics: ReassemblyStatistics

    package init(
      recording: Recording, isDeclaredSet: Bool,
      statistics: ReassemblyStatistics = ReassemblyStatistics()
    ) {
      self.recording = recording
      self.isDeclaredSet = isDeclaredSet
      self.statistics = statistics
    }
  }

  /// The path as given, or the folder of a group of chunk files.
  package var name: String
  /// In order of time. A file of samples has one part; a stream may declare several sets.
  package var parts: [Part]
  /// What was dropped or unusual, each line naming its file.
  package var warnings: [String]
  /// What was assumed or rebuilt when the files were read, each line naming its file.
  package var assumptions: [String]

  package init(
    name: String, parts: [Part], warnings: [String] = [], assumptions: [String] = []
  ) {
    self.name = name
    self.parts = parts
    self.warnings = warnings
    self.assumptions = assumptions
  }

  /// What was unusual without anything being lost, a line each: assumptions, then the chunks of each
  /// part.
  package var notes: [String] {
    assumptions
      + parts.compactMap { part in
        guard let unusual = part.statistics.unusual else { return nil }
        let id = parts.count > 1 ? part.recording.identity.setId.map { ", set \($0)" } ?? "" : ""
        return "\(name)\(id): \(unusual)"
      }
  }

  package var sampleCount: Int { parts.reduce(0) { $0 + $1.recording.samples.count } }

  /// The first sample's time in seconds on the samples' clock; 0 where there is none.
  package var origin: Double { parts.compactMap { $0.recording.samples.firstSeconds }.min() ?? 0 }
}

extension MotionBatch {
  /// The first sample's time in seconds.
  package var firstSeconds: Double? { times.first.map { $0 / units.time.unitsPerSecond } }
}
