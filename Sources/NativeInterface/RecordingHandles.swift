// Functions have the names that C calls them by.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRepTrace
import ChunkDecoding
import Motion
import RecordingInput
import RepDetection
import TextFormats

/// `reptrace_recordings`.
final class RecordingHandles: Sendable {
  let recordings: [RecordingHandle]
  let metadata: LentText

  init(_ loaded: LoadedInputs) {
    recordings = loaded.recordings.map(RecordingHandle.init)
    let failures = loaded.failures.map { failure in
      JSONObjectText(["path": .text(failure.path), "message": .text(failure.message)]).text
    }
    metadata = LentText(
      JSONObjectText(["failures": .list(failures), "skipped": .texts(loaded.skipped)]).text)
  }

  func recording(_ index: Int) throws -> RecordingHandle {
    try checkIndex(index, of: recordings.count, "recordings")
    return recordings[index]
  }
}

/// A recording whose parts are concatenated in one set of columns.
final class RecordingHandle: Sendable {
  let recording: LoadedRecording
  let metadata: LentText
  let columns: LentColumns

  init(_ recording: LoadedRecording) {
    self.recording = recording
    var samples = MotionBatch()
    var parts: [String] = []
    for part in recording.parts {
      let object = JSONObjectText([
        "firstRow": .number(samples.count), "rowCount": .number(part.recording.samples.count),
        "declared": .flag(part.isDeclaredSet), "setId": .text(part.recording.identity.setId),
        "exerciseId": .text(part.recording.identity.exerciseId),
        "phases": .json(PhaseSpan.json(part.recording.phases, firstRow: samples.count)),
      ])
      parts.append(object.text)
      samples.append(part.recording.samples)
    }
    let first = recording.parts.first?.recording
    var object = JSONObjectText(["name": .text(recording.name)])
    var identity = first?.identity ?? SetIdentity()
    identity.setId = nil
    object.addFacts(of: samples, identity: identity, unixTime: first?.unixTimeOfFirstSample)
    object.add([
      "parts": .list(parts), "warnings": .texts(recording.warnings),
      "notes": .texts(recording.notes),
    ])
    metadata = LentText(object.text)
    columns = LentColumns(samples)
  }
}

/// `reptrace_inputs`.
final class InputsHandle: Sendable {
  let inputs: PlannedInputs

  init(_ inputs: PlannedInputs) { self.inputs = inputs }
}

extension LoadingOptions {
  /// Reads a caller's options; NULL means the defaults.
  init(_ reading: UnsafePointer<reptrace_reading>?) throws {
    self = try reading.map { try LoadingOptions($0.pointee) } ?? LoadingOptions()
  }

  /// - Throws: ``Failure`` for an unknown format or encoding; ``InputFailure`` for an invalid column
  ///   description.
  fileprivate init(_ reading: reptrace_reading) throws {
    try checkSize(reading.struct_size, of: reptrace_reading.self, "reading")
    func choice<Choice: RawRepresentable & CaseIterable>(
      _ text: UnsafePointer<CChar>?, _ name: String, _ type: Choice.Type = Choice.self
    ) throws -> Choice? where Choice.RawValue == String {
      guard let text = text.map({ String(cString: $0) }) else { return nil }
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      return try known(
        Choice(rawValue: text), else: "\(name) is \(text); expected one of \(choices)")
    }
    try self.init(
      format: try choice(reading.format, "format"),
      columnsFile: reading.columns.map { String(cString: $0) },
      dateEncoding: try choice(reading.dates, "dates"))
  }
}

@c @implementation
public func reptrace_recordings_open(
  _ path: UnsafePointer<CChar>?, _ reading: UnsafePointer<reptrace_reading>?,
  _ recordings: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let path = String(cString: try required(path, "path"))
    let result = try required(recordings, "recordings")
    let loaded = LoadedInputs([path], options: try LoadingOptions(reading))
    if loaded.recordings.isEmpty, let failure = loaded.failures.first { throw failure }
    result.pointee = Handle.create(RecordingHandles(loaded))
  }
}

@c @implementation
public func reptrace_recordings_size(_ recordings: OpaquePointer?) -> Int {
  recordings.map { Handle.object($0, as: RecordingHandles.self).recordings.count } ?? 0
}

@c @implementation
public func reptrace_recordings_metadata(_ recordings: OpaquePointer?) -> UnsafePointer<CChar>? {
  recordings.flatMap { Handle.object($0, as: RecordingHandles.self).metadata.pointer }
}

@c @implementation
public func reptrace_recording_metadata(
  _ recordings: OpaquePointer?, _ index: Int
) -> UnsafePointer<CChar>? {
  guard let recordings else { return nil }
  let all = Handle.object(recordings, as: RecordingHandles.self).recordings
  return all.indices.contains(index) ? all[index].metadata.pointer : nil
}

@c @implementation
public func reptrace_recording_column(
  _ recordings: OpaquePointer?, _ index: Int, _ channel: reptrace_channel,
  _ values: UnsafeMutablePointer<UnsafePointer<Double>?>?, _ count: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let recording = try Handle.object(recordings, "recordings", as: RecordingHandles.self)
      .recording(index)
    try recording.columns.write(channel, to: required(values, "values"), required(count, "count"))
  }
}

@c @implementation
public func reptrace_recording_count(
  _ recordings: OpaquePointer?, _ index: Int, _ declared: Int32,
  _ hints: UnsafePointer<reptrace_hints>?, _ sets: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let recording = try Handle.object(recordings, "recordings", as: RecordingHandles.self)
      .recording(index).recording
    let result = try required(sets, "sets")
    let configuration = try DetectorConfiguration(hints: hints)
    let counted = recording.countSets(oneSet: declared != 0, configuration: configuration)
    result.pointee = Handle.create(
      LentSets(zip(counted, recording.parts).map { ($0, $1.recording.samples) }))
  }
}

@c @implementation
public func reptrace_recordings_destroy(_ recordings: OpaquePointer?) {
  Handle.destroy(recordings, RecordingHandles.self)
}

@c @implementation
public func reptrace_inputs_open(
  _ paths: UnsafePointer<UnsafePointer<CChar>?>?, _ pathCount: Int,
  _ reading: UnsafePointer<reptrace_reading>?, _ inputs: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let result = try required(inputs, "inputs")
    let paths = try texts(paths, pathCount, "paths")
    result.pointee = Handle.create(
      InputsHandle(PlannedInputs(paths, options: try LoadingOptions(reading))))
  }
}

@c @implementation
public func reptrace_inputs_size(_ inputs: OpaquePointer?) -> Int {
  inputs.map { Handle.object($0, as: InputsHandle.self).inputs.count } ?? 0
}

@c @implementation
public func reptrace_inputs_load(
  _ inputs: OpaquePointer?, _ index: Int, _ recordings: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let inputs = try Handle.object(inputs, "inputs", as: InputsHandle.self).inputs
    let result = try required(recordings, "recordings")
    try checkIndex(index, of: inputs.count, "inputs")
    result.pointee = Handle.create(RecordingHandles(inputs.load(index)))
  }
}

@c @implementation
public func reptrace_inputs_destroy(_ inputs: OpaquePointer?) {
  Handle.destroy(inputs, InputsHandle.self)
}
