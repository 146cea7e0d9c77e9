import ChunkDecoding
import Motion
import MovementAnalysis
import RecordingInput
import RepDetection
import TextFormats

/// The files of one drop, and their results.
private struct Session {
  var loader = RecordingLoader(options: LoadingOptions())
  var units: [RecordingLoader.Unit?] = []
  var isOneSet = false
  var recordings: [Counted] = []
  var overlaps = SensorFileOverlaps()
}

private struct Counted {
  var recording: LoadedRecording
  /// The sets of each part.
  var sets: [[CountedSet]]

  /// All samples, in standard units.
  var samples: MotionBatch {
    var samples = MotionBatch()
    for part in recording.parts { samples.append(part.recording.samples.inStandardUnits()) }
    return samples
  }
}

private nonisolated(unsafe) var session = Session()

/// Removes all files and recordings.
@_cdecl("reptrace_clear")
public func clear() {
  HeldFiles.removeAll()
  session = Session()
}

/// Adds a file of a drop, by its path.
@_cdecl("reptrace_add_file")
public func addFile(
  _ path: UnsafePointer<UInt8>?, _ pathCount: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int32
) {
  HeldFiles.add(
    string(path, pathCount), Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
}

/// Finds the recordings in the files, and returns the number of units to load.
///
/// - Parameters:
///   - paths: The dropped files and folders, separated by line feeds.
///   - oneSet: 1 if each recording is one set.
@_cdecl("reptrace_plan")
public func plan(_ paths: UnsafePointer<UInt8>?, _ count: Int32, _ oneSet: Int32) -> Int32 {
  let inputs = InputScanner.scan(
    string(paths, count).split(separator: "\n").map { String($0) })
  session = Session()
  session.isOneSet = oneSet != 0
  session.units = session.loader.planSequentially(inputs).map { $0 }
  return Int32(session.units.count)
}

/// Loads and counts a unit, and returns JSON: an array of recordings and failures.
@_cdecl("reptrace_load")
public func load(_ index: Int32) -> Int32 {
  guard let unit = session.units[Int(index)] else { return returned("[]") }
  session.units[Int(index)] = nil
  return returned(JSONObjectText.array(session.loader.load(unit).map { json($0) }))
}

private func json(_ loaded: RecordingLoader.Loaded) -> String {
  switch loaded {
  case .failed(let failure):
    return JSONObjectText([
      "kind": .text("failed"), "path": .text(failure.path), "message": .text(failure.message),
    ]).text
  case .skipped(let path):
    return JSONObjectText(["kind": .text("skipped"), "path": .text(path)]).text
  case .recording(let recording):
    let counted = Counted(
      recording: recording,
      sets: recording.countSets(oneSet: session.isOneSet))
    session.recordings.append(counted)
    var warnings = recording.warnings
    if let span = SensorFileSpan(recording), let warning = session.overlaps.warning(for: span) {
      warnings.append(warning)
    }
    var lines: [String] = []
    for (part, sets) in zip(recording.parts, counted.sets) {
      for set in sets {
        let line = JSONObjectText(
          set.relative(to: recording.origin), recording: recording.name, number: lines.count + 1,
          identity: part.recording.identity)
        lines.append(line.text)
      }
    }
    let time = recording.parts.first?.recording.unixTimeOfFirstSample
    return JSONObjectText([
      "kind": .text("recording"), "index": .number(session.recordings.count - 1),
      "name": .text(recording.name), "samples": .number(recording.sampleCount),
      "origin": .digits(recording.origin), "unixTime": time.map { .digits($0) } ?? .text(nil),
      "warnings": .texts(warnings), "notes": .texts(recording.notes), "sets": .list(lines),
    ]).text
  }
}

/// Returns the details of a recording as JSON: analyses, uncounted movements, phases and heart rate. Times
/// count from the first sample.
@_cdecl("reptrace_details")
public func details(_ index: Int32) -> Int32 {
  let counted = session.recordings[Int(index)]
  let origin = counted.recording.origin
  let samples = counted.samples
  let sets = counted.sets.flatMap { $0 }
  let analyses = sets.map {
    json(SetAnalyzer.analyze($0, samples: samples), start: $0.start - origin)
  }
  let notCounted = rejections(counted).filter { $0.reason.name != "quiet" }.map { rejection in
    JSONObjectText([
      "start": .number(rejection.start - origin, decimals: 3),
      "end": .number(rejection.end - origin, decimals: 3), "kind": .text(kind(of: rejection)),
      "reason": .text(rejection.description),
    ]).text
  }
  var phases: [String] = []
  var beats: [String] = []
  for part in counted.recording.parts {
    let recording = part.recording
    let times = recording.samples.times
    let perSecond = recording.samples.units.time.unitsPerSecond
    for span in recording.phases where !span.rows.isEmpty {
      let (start, end) = (times[span.rows.lowerBound], times[span.rows.upperBound - 1])
      let object = JSONObjectText([
        "phase": .text(span.phase.rawValue),
        "start": .number(start / perSecond - origin, decimals: 3),
        "end": .number(end / perSecond - origin, decimals: 3),
      ])
      phases.append(object.text)
    }
    guard let first = recording.unixTimeOfFirstSample, let start = times.first else { continue }
    for reading in recording.health {
      guard let rate = reading.heartRateBPM else { continue }
      let time = reading.unixTime - first + start / perSecond - origin
      beats.append(
        JSONObjectText.array([
          JSONObjectText.number(time, decimals: 3), JSONObjectText.number(rate, decimals: 1),
        ]))
    }
  }
  let object = JSONObjectText([
    "channels": .texts(samples.channels.map { $0.name }), "analyses": .list(analyses),
    "notCounted": .list(notCounted), "phases": .list(phases), "heartRate": .list(beats),
  ])
  return returned(object.text)
}

/// Returns the movements that the detector rejected, part by part.
private func rejections(_ counted: Counted) -> [CandidateRejection] {
  let isDeclared = counted.sets.contains { $0.contains { $0.cause == .declared } }
  return zip(counted.recording.parts, counted.sets).flatMap { part, sets -> [CandidateRejection] in
    let (samples, phases) = (part.recording.samples, part.recording.phases)
    if sets.isEmpty, isDeclared { return [] }
    guard sets.contains(where: { $0.cause == .declared }) else {
      return RepDetector.diagnose(samples, phases: phases).rejections
    }
    return RepDetector.diagnoseSet(in: samples, phases: phases).rejections
  }
}

private func kind(of rejection: CandidateRejection) -> String {
  switch rejection.subject {
  case .partial: "partial"
  case .movement: "besideReps"
  case .run, .set, .window, .declaredSet: "elsewhere"
  }
}

/// Returns a column of a recording in standard units, with times from the first sample; empty if it was not
/// measured.
@_cdecl("reptrace_column")
public func column(_ index: Int32, _ channel: Int32) -> Int32 {
  let counted = session.recordings[Int(index)]
  guard let channel = MotionChannel(rawValue: UInt8(channel)) else { return returned([Double]()) }
  let values = counted.samples[channel]
  guard channel == .time else { return returned(values) }
  return returned(values.map { $0 - counted.recording.origin })
}

/// Returns the reps of a set adjusted to a person's count, as JSON; null if it cannot be explained.
@_cdecl("reptrace_explain")
public func explain(_ index: Int32, _ set: Int32, _ count: Int32) -> Int32 {
  let counted = session.recordings[Int(index)]
  let sets = counted.sets.flatMap { $0 }
  guard let explained = sets[Int(set)].explained(byCount: Int(count)) else {
    return returned("null")
  }
  return returned(explained.relative(to: counted.recording.origin).reps.json(decimals: 3))
}
