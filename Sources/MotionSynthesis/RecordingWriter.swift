import Motion

/// Writes a synthetic recording in an input format.
///
/// Numbers in `csv`, `sensorLog`, `chunks`, `nestedChunks` and `ndjson` read back as the same Doubles; in
/// `sensorLogger` and `wristMotion`, all but time and quaternion do. Other formats round like their sources.
package struct RecordingWriter: Sendable {
  package var format: SyntheticFormat
  package var dateEncoding: DateEncoding
  /// Faults of the transport, for formats with chunks.
  package var transportFaults: Set<TransportFault>

  package init(
    format: SyntheticFormat, dateEncoding: DateEncoding = .seconds1970,
    transportFaults: Set<TransportFault> = []
  ) {
    self.format = format
    self.dateEncoding = dateEncoding
    self.transportFaults = transportFaults
  }

  /// Returns the files of a recording. O(samples).
  package func files(of made: SyntheticRecording) -> [RecordingFile] {
    switch format {
    case .csv: [csv(made)]
    case .sensorLogger: [sensorLogger(made)]
    case .wristMotion: [wristMotion(made)]
    case .sensorFolder: sensorFolder(made)
    case .sensorLog: [sensorLog(made)]
    case .metaMotion: metaMotion(made)
    case .headerless: headerless(made)
    case .chunks: chunkFiles(made, nested: false)
    case .nestedChunks: chunkFiles(made, nested: true)
    case .watchApp: watchAppFiles(made)
    case .ndjson: [ndjson(made)]
    }
  }

  /// Returns the offset from the samples' clock to the written time column, in seconds. In Sensor Logger's
  /// files that column is `seconds_elapsed`.
  package func timeOffset(of made: SyntheticRecording) -> Double {
    let first = made.recording.samples.times.first ?? 0
    switch format {
    case .csv, .sensorLog, .chunks, .nestedChunks, .ndjson: return 0
    case .sensorLogger, .wristMotion, .sensorFolder: return -first
    case .metaMotion, .headerless, .watchApp: return unixOffset(of: made)
    }
  }

  /// Returns the time at which the samples' clock was 0, in seconds since 1970.
  func unixOffset(of made: SyntheticRecording) -> Double {
    (made.recording.unixTimeOfFirstSample ?? 0) - (made.recording.samples.times.first ?? 0)
  }

  /// Returns the name that `process` and `evaluate` give to the written recording, or to one of its sets if
  /// each set becomes a recording.
  package func recordingName(of made: SyntheticRecording, set index: Int) -> String {
    switch format {
    case .chunks, .nestedChunks, .watchApp:
      guard made.truth.count > 1, made.truth.indices.contains(index),
        let id = made.truth[index].identity.setId
      else { return made.name }
      return made.name + "/" + id
    case .metaMotion: return made.name + "_Accelerometer_12.500Hz_1.4.4"
    default: return made.name
    }
  }
}
