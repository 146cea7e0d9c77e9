import Foundation
import RepTrace
import Reports

/// The INPUT arguments of the commands that draw: recordings in files, or sets in a history.
struct FigureInput {
  /// A recording with its sets, or a stored set.
  struct Item {
    var name: String
    /// The recording's identity, independent of its name: a path, or a store and a row.
    var recording: String
    /// One title for each set.
    var titles: [FigureTitle]
    /// Samples, with times on the samples' clock.
    var samples: MotionBatch
    var sets: [CountedSet]
    var figure: () -> RecordingFigure
    /// Returns the movements that the detector examined and rejected.
    var rejections: () -> [CandidateRejection]
    /// The count after a person's correction.
    var correctedReps: Int?
    /// Number of reps in the lifter's notes, if the recording holds one set.
    var notedReps: Int?
    /// Time of the recording's first sample, in seconds on the samples' clock, if the item is a part of a
    /// recording.
    var recordingOrigin: Double?

    /// Zero of the printed times, in seconds on the samples' clock.
    var origin: Double { recordingOrigin ?? samples.times.first ?? 0 }
  }

  /// Inputs that are read together: sets of a store, or files that `process` would combine.
  private enum Group {
    case stored(store: String, history: HistoryStore, sets: [HistorySetRow])
    case files([String])

    static func of(_ inputs: [String]) throws -> [Group] {
      var groups: [Group] = []
      for input in inputs {
        if let (store, history, sets) = try StoredSetReference.resolve(input) {
          groups.append(.stored(store: store, history: history, sets: sets))
        } else if case .files(let paths) = groups.last {
          groups[groups.count - 1] = .files(paths + [input])
        } else {
          groups.append(.files([input]))
        }
      }
      return groups
    }
  }

  /// Reads the inputs in order.
  ///
  /// - Parameters:
  ///   - user: The person whose sets are read from histories, by UUID or login id; nil for all people.
  ///   - hasEmptyRecordings: True to also deliver recordings without sets, of whole histories.
  ///   - failed: Called with the name of each unusable input, and the reason.
  /// - Returns: The number of unusable inputs.
  static func read(
    _ inputs: [String], user: String? = nil, hasEmptyRecordings: Bool = false,
    pipeline: ProcessingPipeline, failed: (String, String) -> Void = { _, _ in },
    deliver: (Item) throws -> Void
  ) async throws -> Int {
    var failures: [InputFailure.Kind] = []
    var delivered = 0
    func fail(_ name: String, _ reason: String, _ kind: InputFailure.Kind) {
      StandardStreams.note("\(name): \(reason)")
      failures.append(kind)
      failed(name, reason)
    }
    ProgressLine.show("reading")
    defer { ProgressLine.clear() }
    for group in try Group.of(inputs) {
      switch group {
      case .stored(let store, let history, let sets):
        let owner = try HistoryOpening.user(user, in: history)
        let context = try SetListContext(history)
        for row in sets where owner == nil || row.user == owner {
          // An unreadable set must not prevent the page.
          let read = Result { try item(row, history, store: store, context) }
          switch read {
          case .success(let item):
            delivered += 1
            try deliver(item)
            ProgressLine.show("\(counted(delivered, "set")) read")
          case .failure(let error): fail("\(store)#\(row.shortID)", "\(error)", .undecodable)
          }
        }
        // Skip this if the input names a single set.
        guard hasEmptyRecordings, owner == nil, try history.setCount() == sets.count else {
          continue
        }
        for recording in try emptyRecordings(history, store: store) { try deliver(recording) }
      case .files(let paths):
        var misnamed: [String] = []
        try await pipeline.run(paths: paths) { outcome in
          switch outcome {
          case .recording(let processed):
            for warning in processed.warnings { StandardStreams.note(warning) }
            delivered += 1
            if pipeline.options.labels.isMisnamed(processed.name) {
              misnamed.append(processed.name)
            }
            try deliver(item(processed))
            ProgressLine.show("\(counted(delivered, "recording")) read")
          case .failed(let failure): fail(failure.path, failure.message, failure.kind)
          case .skipped: break
          }
        }
        RunLog.noteMisnamed(misnamed)
      }
    }
    if delivered == 0, !failures.isEmpty {
      throw failures.allSatisfy { $0 == .missing }
        ? ExitStatus.noInputExists : ExitStatus.noInputDecoded
    }
    return failures.count
  }

  static func item(_ processed: ProcessedRecording) -> Item {
    var samples = MotionBatch()
    for part in processed.parts { samples.append(part.recording.samples.inStandardUnits()) }
    return Item(
      name: processed.name, recording: processed.name, titles: FigureTitle.ofSets(processed),
      samples: samples, sets: processed.parts.flatMap(\.sets),
      figure: { RecordingFigure(processed) }, rejections: { processed.rejections() },
      notedReps: processed.results.count == 1 ? processed.label.reps : nil)
  }

  // MARK: Histories

  /// Returns the recordings of a history in which no set was detected.
  private static func emptyRecordings(_ history: HistoryStore, store: String) throws -> [Item] {
    try HistoryOpening.reading {
      try history.recordings { _ in }.filter { $0.setCount == 0 }.compactMap { row in
        guard try history.sets(ofRecording: row.id).isEmpty,
          let recording = try? history.recording(row.id)
        else { return nil }
        return Item(
          name: row.name, recording: "\(store), recording \(row.id)", titles: [],
          samples: MotionBatch(), sets: [],
          figure: {
            RecordingFigure(title: row.name, subtitle: "", samples: MotionBatch(), sets: [])
          },
          rejections: {
            ProcessedRecording.rejections(in: recording.samples, phases: recording.phases, sets: [])
          })
      }
    }
  }

  private static func item(
    _ row: HistorySetRow, _ history: HistoryStore, store: String, _ context: SetListContext
  ) throws -> Item {
    let timeline = try history.timeline(ofSet: row.id)
    let title = FigureTitle(
      exercise: row.exerciseName ?? row.exerciseId?.rawValue, recording: row.recordingName ?? store,
      setNumber: row.order + 1, unixTime: row.startTime?.timeIntervalSince1970,
      weight: row.weight, user: context.people[row.user],
      source: "\(store)#\(row.shortID)")
    var note = "\(row.detectedReps ?? 0) reps"
    if let corrected = row.correctedReps { note += ", corrected by a person to \(corrected)" }
    return Item(
      name: title.source,
      recording: row.recordingId.map { "\(store), recording \($0)" } ?? title.source,
      titles: [title], samples: timeline.samples.inStandardUnits(),
      sets: timeline.set.map { [$0] } ?? [],
      figure: {
        var figure = RecordingFigure(timeline, title: title, note: note)
        let first = timeline.samples.firstSeconds
        if let offset = context.seconds(first, of: row), offset >= 0.0005 {
          figure.origin = "the set began, \(decimal(offset, 1)) s into the recording"
        }
        return figure
      },
      rejections: {
        ProcessedRecording.rejections(
          in: timeline.samples, phases: timeline.phases, sets: timeline.set.map { [$0] })
      },
      correctedReps: row.correctedReps, notedReps: row.labelledReps,
      recordingOrigin: row.recordingId.flatMap { context.origins[$0] })
  }
}

/// Writes a picture or page completely or not at all; only the owner may read it, as it shows a body.
enum FigureOutput {
  static func write(_ text: String, to path: String) throws {
    do {
      try PrivateFile.write(Data(text.utf8), to: path)
    } catch {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      let canCreate = FileManager.default.isWritableFile(atPath: folder)
      StandardStreams.note("\(path): cannot be written: \(FileError(path, error).reason)")
      throw canCreate ? ExitStatus.cannotWriteOutput : ExitStatus.cannotCreateOutput
    }
  }
}
