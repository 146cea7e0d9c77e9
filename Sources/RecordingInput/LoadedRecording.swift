import ChunkDecoding
import Motion

/// A recording as read from its files: all samples under one name.
package struct LoadedRecording: Sendable {
  /// Samples that are counted as a unit: those of a declared set, or those outside of declared sets.
  package struct Part: Sendable {
    package var recording: Recording
    /// True if the input declares this part as a set.
    package var isDeclaredSet: Bool
    /// Irregularities in the part's chunks.
    package var statistics: ReassemblyStatistics
  }

  /// The path as given, or the folder of a group of chunk files.
  package var name: String
  /// Parts in chronological order. A file of samples has one part; a stream may declare several sets.
  package var parts: [Part]
  /// Losses and irregularities; each line names its file.
  package var warnings: [String]
  /// Assumptions and reconstructions made while reading; each line names its file.
  package var assumptions: [String]

  /// Harmless irregularities, one per line: assumptions, then the chunks of each part.
  package var notes: [String] {
    assumptions
      + parts.compactMap { part in
        guard let unusual = part.statistics.unusual else { return nil }
        let id = parts.count > 1 ? part.recording.identity.setId.map { ", set \($0)" } ?? "" : ""
        return "\(name)\(id): \(unusual)"
      }
  }

  package var sampleCount: Int { parts.reduce(0) { $0 + $1.recording.samples.count } }

  /// Time of the first sample, in seconds on the samples' clock; 0 if there is none.
  package var origin: Double { parts.compactMap { $0.recording.samples.firstSeconds }.min() ?? 0 }
}

extension MotionBatch {
  /// Time of the first sample, in seconds.
  package var firstSeconds: Double? { times.first.map { $0 / units.time.unitsPerSecond } }
}
