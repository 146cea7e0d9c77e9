import Motion
import MovementAnalysis
import RepDetection
import TimelineFormat
import WorkoutHistory

/// Runs the current detector over the recordings of a history. Only automatic counts change; corrections by
/// people stay. In recordings with known sets, no set is added or removed. Recordings without sets are
/// searched for them.
package struct HistoryRecounter: Sendable {
  package var detector: DetectorConfiguration
  /// The detector's name and version, as stored timelines give it.
  package var provenance: TimelineProvenance

  /// A set whose count has changed.
  package struct Change: Sendable, Hashable {
    /// The set's key; for a new set, its recording and its number in it.
    package var set: String
    /// The previous automatic count; nil if there was none.
    package var before: Int?
    package var after: Int
    package var correctedReps: Int?
  }

  package struct Report: Sendable {
    package var setCount = 0
    package var changes: [Change] = []
    /// Sets, and recordings without sets, with unreadable timelines, and the reasons. They stay unchanged.
    package var failures: [(name: String, reason: String)] = []
  }

  package init(
    detector: DetectorConfiguration = DetectorConfiguration(), provenance: TimelineProvenance
  ) {
    self.detector = detector
    self.provenance = provenance
  }

  /// Recounts the sets of one recording after another. Holds no lock while it decodes and counts.
  ///
  /// - Parameter isDryRun: If true, only reports what would change.
  package func recount(_ store: HistoryStore, isDryRun: Bool = false) throws -> Report {
    var report = Report()
    let withoutSets = Set(try store.recordingsWithoutSets())
    let recordings = try store.recordings { report.failures.append(("a recording", "\($0)")) }
    for recording in recordings {
      try recount(recording, in: store, isDryRun: isDryRun, &report)
    }
    for recording in recordings where withoutSets.contains(recording.id) {
      try findSets(in: recording, of: store, isDryRun: isDryRun, &report)
    }
    return report
  }

  private func findSets(
    in row: HistoryRecordingRow, of store: HistoryStore, isDryRun: Bool, _ report: inout Report
  ) throws {
    do {
      let recording = try store.recording(row.id)
      let found = RepDetector.detectSets(
        in: recording.samples, phases: recording.phases, configuration: detector)
      guard !found.isEmpty else { return }
      report.setCount += found.count
      var keys = found.indices.map { "\(recording.name)#\($0 + 1)" }
      if !isDryRun {
        let samples = recording.samples.inStandardUnits()
        let curves = found.map {
          SetAnalyzer.analyze($0, samples: samples).curve?.storedPoints ?? []
        }
        keys = try store.addSets(
          found, toRecording: row.id, provenance: provenance, movementCurves: curves
        ).map(\.rawValue)
      }
      for (key, set) in zip(keys, found) {
        report.changes.append(
          Change(set: key, before: nil, after: set.reps.count, correctedReps: nil))
      }
    } catch let error as TimelineError {
      report.failures.append(("recording \(row.name)", "\(error)"))
    } catch HistoryError.damaged(_, let reason) {
      report.failures.append(("recording \(row.name)", reason))
    } catch HistoryError.notFound {
      // The set was deleted in the meantime.
    }
  }

  private func recount(
    _ recording: HistoryRecordingRow, in store: HistoryStore, isDryRun: Bool,
    _ report: inout Report
  ) throws {
    let rows: [HistorySetRow]
    do {
      rows = try store.sets(ofRecording: recording.id).filter { $0.position != nil }
    } catch HistoryError.damaged(_, let reason) {
      report.failures.append(("recording \(recording.name)", reason))
      return
    }
    guard !rows.isEmpty else { return }
    // Detected sets come from a search of the whole recording, so search it again. A set that this search
    // misses is counted within its own samples.
    var found: [CountedSet] = []
    var unreadable: String?
    if rows.contains(where: { $0.cause == .detected }) {
      do {
        let whole = try store.recording(recording.id)
        found = RepDetector.detectSets(
          in: whole.samples, phases: whole.phases, configuration: detector)
        // Bouts that were stored as separate sets stay separate: each is counted within its own samples.
        found.removeAll { set in rows.count { Self.lies($0, in: set) } > 1 }
      } catch let error as TimelineError {
        // Counting a detected set within its own samples would give another result, so report a failure.
        unreadable = "its recording: \(error)"
      } catch HistoryError.damaged(_, let reason) {
        unreadable = "its recording: \(reason)"
      } catch HistoryError.notFound {
        return  // Deleted in the meantime.
      }
    }
    for row in rows {
      if let unreadable, row.cause == .detected {
        report.failures.append(("set \(row.key)", unreadable))
        continue
      }
      do {
        let timeline = try store.timeline(ofSet: row.id)
        var counted =
          (row.cause == .detected ? Self.best(found, overlapping: row) : nil)
          ?? RepDetector.countSet(
            in: timeline.samples, phases: timeline.phases, configuration: detector)
        counted.cause = row.cause
        report.setCount += 1
        guard counted.reps.count != row.detectedReps || counted.confidence != row.confidence else {
          continue
        }
        if counted.reps.count != row.detectedReps {
          report.changes.append(
            Change(
              set: row.key.rawValue, before: row.detectedReps, after: counted.reps.count,
              correctedReps: row.correctedReps))
        }
        guard !isDryRun else { continue }
        let curve = SetAnalyzer.analyze(counted, samples: timeline.samples.inStandardUnits()).curve
        try store.replaceMachineCount(
          ofSet: row.id, with: counted, movementCurve: curve?.storedPoints ?? [],
          provenance: provenance)
      } catch let error as TimelineError {
        report.failures.append(("set \(row.key)", "\(error)"))
      } catch HistoryError.damaged(_, let reason) {
        report.failures.append(("set \(row.key)", reason))
      } catch HistoryError.notFound(let reference) {
        report.failures.append(("set \(row.key)", "\(HistoryError.notFound(reference: reference))"))
      }
    }
  }

  /// Returns whether the set covers more than half of the row's time.
  private static func lies(_ row: HistorySetRow, in set: CountedSet) -> Bool {
    guard let start = row.clockStart, let end = row.clockEnd else { return false }
    return min(end, set.end) - max(start, set.start) > (end - start) / 2
  }

  /// Returns the set that overlaps the row longest, by at least half of the shorter of the two.
  private static func best(_ sets: [CountedSet], overlapping row: HistorySetRow) -> CountedSet? {
    guard let start = row.clockStart, let end = row.clockEnd else { return nil }
    var best: (set: CountedSet, overlap: Double)?
    for set in sets {
      let overlap = min(end, set.end) - max(start, set.start)
      guard overlap > 0, overlap >= min(end - start, set.end - set.start) / 2 else { continue }
      if overlap > best?.overlap ?? 0 { best = (set, overlap) }
    }
    return best?.set
  }
}
