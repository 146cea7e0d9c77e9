// Functions have the names that C calls them by.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRepTrace
import Motion
import TextFormats
import TimelineFormat

/// `reptrace_timeline`.
final class TimelineHandle: Sendable {
  let metadata: LentText
  let columns: LentColumns
  let set: LentSet?

  init(_ timeline: Timeline) {
    var object = JSONObjectText()
    object.addFacts(
      of: timeline.samples, identity: timeline.identity,
      unixTime: timeline.unixTimeOfFirstSample)
    let provenance = timeline.provenance.map {
      JSONObjectText(["writer": .text($0.writer), "detector": .text($0.detector)]).text
    }
    object.add([
      "phases": .json(PhaseSpan.json(timeline.phases)), "provenance": .json(provenance),
    ])
    metadata = LentText(object.text)
    columns = LentColumns(timeline.samples)
    set = timeline.set.map(LentSet.init)
  }
}

extension CountedSet {
  /// Reads a caller's set.
  init(_ set: reptrace_set) throws {
    try checkSize(set.struct_size, of: reptrace_set.self, "set")
    let cause: SetCause
    switch Int32(set.cause) {
    case REPTRACE_DECLARED: cause = .declared
    case REPTRACE_DETECTED: cause = .detected
    default: throw Failure.invalidArgument("set.cause is \(set.cause); expected 0 or 1")
    }
    func reps(_ first: UnsafePointer<reptrace_rep>?, _ count: Int, _ name: String) throws
      -> [CountedRep]
    {
      try checkCount(count, name + "_count")
      guard count > 0 else { return [] }
      return UnsafeBufferPointer(start: try required(first, name + "s"), count: count).map {
        CountedRep(start: $0.start, end: $0.end, confidence: $0.confidence)
      }
    }
    self.init(
      cause: cause, start: set.start, end: set.end,
      reps: try reps(set.reps, set.rep_count, "set.rep"),
      partialReps: try reps(set.partial_reps, set.partial_rep_count, "set.partial_rep"),
      confidence: set.confidence)
  }
}

@c @implementation
public func reptrace_timeline_encode(
  _ samples: UnsafePointer<reptrace_samples>?, _ set: UnsafePointer<reptrace_set>?,
  _ precision: Int32, _ timeline: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let samples = try required(samples, "samples").pointee
    let result = try required(timeline, "timeline")
    let wanted: TimelinePrecision
    switch precision {
    case REPTRACE_LOSSLESS: wanted = .lossless
    case REPTRACE_BOUNDED: wanted = .bounded()
    default: throw Failure.invalidArgument("precision is \(precision); expected 0 or 1")
    }
    let value = Timeline(
      samples: try MotionBatch(samples), phases: try PhaseSpan.spans(of: samples),
      set: try set.map { try CountedSet($0.pointee) })
    result.pointee = Handle.create(LentValues(try TimelineEncoder(precision: wanted).encode(value)))
  }
}

@c @implementation
public func reptrace_timeline_decode(
  _ bytes: UnsafePointer<UInt8>?, _ size: Int, _ timeline: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let result = try required(timeline, "timeline")
    try checkCount(size, "size")
    let bytes = Array(UnsafeBufferPointer(start: try required(bytes, "bytes"), count: size))
    result.pointee = Handle.create(
      TimelineHandle(try TimelineDecoder(limits: .reading(size)).decode(bytes)))
  }
}

@c @implementation
public func reptrace_timeline_metadata(_ timeline: OpaquePointer?) -> UnsafePointer<CChar>? {
  timeline.flatMap { Handle.object($0, as: TimelineHandle.self).metadata.pointer }
}

@c @implementation
public func reptrace_timeline_column(
  _ timeline: OpaquePointer?, _ channel: reptrace_channel,
  _ values: UnsafeMutablePointer<UnsafePointer<Double>?>?, _ count: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let timeline = try Handle.object(timeline, "timeline", as: TimelineHandle.self)
    try timeline.columns.write(channel, to: required(values, "values"), required(count, "count"))
  }
}

@c @implementation
public func reptrace_timeline_set(
  _ timeline: OpaquePointer?, _ set: UnsafeMutablePointer<reptrace_set>?,
  _ hasSet: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let timeline = try Handle.object(timeline, "timeline", as: TimelineHandle.self)
    let hasSet = try required(hasSet, "has_set")
    let result = try required(set, "set")
    try timeline.set?.write(to: result, "set")
    hasSet.pointee = timeline.set == nil ? 0 : 1
  }
}

@c @implementation
public func reptrace_timeline_destroy(_ timeline: OpaquePointer?) {
  Handle.destroy(timeline, TimelineHandle.self)
}
