// Functions have the names that C calls them by.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRepTrace
import Motion
import RepDetection

/// `reptrace_detector`.
final class LiveDetector {
  var detector: RepDetector
  private var events: [DetectionEvent] = []
  private var taken = 0
  /// Time of the last sample, in seconds; nil at the start of a signal and at the ends of a declared set.
  private var lastTime: Double?
  /// The set of the last event taken, whose reps are lent.
  private var lentSet: LentSet?

  init(_ detector: RepDetector) { self.detector = detector }

  func collect(_ event: DetectionEvent) { events.append(event) }

  var hasEvents: Bool { taken < events.count }

  func append(_ batch: MotionBatch, phases: [PhaseSpan]) throws {
    guard let first = batch.times.first, let last = batch.times.last else { return }
    let perSecond = batch.units.time.unitsPerSecond
    if let lastTime, first / perSecond < lastTime {
      throw Failure.invalidArgument(
        "the time of sample 0 is \(first / perSecond) s, before that of the last sample, "
          + "\(lastTime) s; expected samples in order of time")
    }
    lastTime = last / perSecond
    var row = 0
    for span in phases {
      detector.append(batch[row..<span.rows.lowerBound], onEvent: collect)
      detector.append(batch[span.rows], phase: span.phase, onEvent: collect)
      row = span.rows.upperBound
    }
    detector.append(batch[row..<batch.count], onEvent: collect)
  }

  func beginSet(hints: SetHints?) {
    detector.beginSet(hints: hints, onEvent: collect)
    lastTime = nil
  }

  func endSet() {
    detector.endSet(onEvent: collect)
    lastTime = nil
  }

  func finish() {
    detector.finish(onEvent: collect)
    lastTime = nil
  }

  /// Writes and removes the oldest event. Returns whether there was one.
  func takeEvent(_ result: UnsafeMutablePointer<reptrace_event>) throws -> Bool {
    try checkSize(result.pointee.struct_size, of: reptrace_event.self, "event")
    guard hasEvents else { return false }
    if case .setEnded(_, let set) = events[taken] {
      let lent = LentSet(set)
      try withUnsafeMutablePointer(to: &result.pointee.set) { try lent.write(to: $0, "event.set") }
      lentSet = lent
    }
    result.pointee.write(events[taken])
    taken += 1
    if taken == events.count {
      events.removeAll(keepingCapacity: true)
      taken = 0
    }
    return true
  }
}

extension reptrace_event {
  /// Writes all fields except the set.
  fileprivate mutating func write(_ event: DetectionEvent) {
    time = event.time
    switch event {
    case .setStarted(_, let start, let cause):
      kind = UInt8(REPTRACE_SET_STARTED)
      self.start = start
      self.cause = UInt8(cause == .declared ? REPTRACE_DECLARED : REPTRACE_DETECTED)
    case .rep(_, let count, let rep):
      kind = UInt8(REPTRACE_REP_COUNTED)
      self.count = UInt64(count)
      self.rep = reptrace_rep(rep)
    case .repCorrected(_, let count):
      kind = UInt8(REPTRACE_REP_CORRECTED)
      self.count = UInt64(count)
    case .partialRep(_, let rep):
      kind = UInt8(REPTRACE_PARTIAL_REP)
      self.rep = reptrace_rep(rep)
    case .phase(_, let from, let to):
      kind = UInt8(REPTRACE_PHASE_CHANGED)
      from_phase = from == .execution ? 1 : 2
      to_phase = to == .execution ? 1 : 2
    case .setEnded: kind = UInt8(REPTRACE_SET_ENDED)
    case .setCancelled: kind = UInt8(REPTRACE_SET_CANCELLED)
    }
  }
}

@c @implementation
public func reptrace_detector_create(
  _ findsSets: Int32, _ hints: UnsafePointer<reptrace_hints>?,
  _ detector: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let result = try required(detector, "detector")
    let configuration = try DetectorConfiguration(hints: hints)
    result.pointee = Handle.create(
      LiveDetector(RepDetector(configuration: configuration, findsSets: findsSets != 0)))
  }
}

@c @implementation
public func reptrace_detector_destroy(_ detector: OpaquePointer?) {
  Handle.destroy(detector, LiveDetector.self)
}

@c @implementation
public func reptrace_detector_append(
  _ detector: OpaquePointer?, _ samples: UnsafePointer<reptrace_samples>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let live = try Handle.object(detector, "detector", as: LiveDetector.self)
    let samples = try required(samples, "samples").pointee
    try live.append(MotionBatch(samples), phases: PhaseSpan.spans(of: samples))
  }
}

@c @implementation
public func reptrace_detector_begin_set(
  _ detector: OpaquePointer?, _ hints: UnsafePointer<reptrace_hints>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let live = try Handle.object(detector, "detector", as: LiveDetector.self)
    let hints = try hints.map { try DetectorConfiguration(hints: $0).hints }
    live.beginSet(hints: hints)
  }
}

@c @implementation
public func reptrace_detector_end_set(
  _ detector: OpaquePointer?, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let live = try Handle.object(detector, "detector", as: LiveDetector.self)
    guard live.detector.isInDeclaredSet else { throw Failure.invalidState("no set was declared") }
    live.endSet()
  }
}

@c @implementation
public func reptrace_detector_finish(
  _ detector: OpaquePointer?, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    try Handle.object(detector, "detector", as: LiveDetector.self).finish()
  }
}

@c @implementation
public func reptrace_detector_take_event(
  _ detector: OpaquePointer?, _ event: UnsafeMutablePointer<reptrace_event>?,
  _ taken: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let live = try Handle.object(detector, "detector", as: LiveDetector.self)
    let taken = try required(taken, "taken")
    taken.pointee = try live.takeEvent(required(event, "event")) ? 1 : 0
  }
}

@c @implementation
public func reptrace_detector_snapshot(
  _ detector: OpaquePointer?, _ snapshot: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let live = try Handle.object(detector, "detector", as: LiveDetector.self)
    let result = try required(snapshot, "snapshot")
    guard !live.hasEvents else { throw Failure.invalidState("events were not taken yet") }
    result.pointee = Handle.create(LentValues(live.detector.snapshot()))
  }
}

@c @implementation
public func reptrace_detector_restore(
  _ snapshot: UnsafePointer<UInt8>?, _ size: Int,
  _ detector: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let result = try required(detector, "detector")
    try checkCount(size, "size")
    let bytes = Array(UnsafeBufferPointer(start: try required(snapshot, "snapshot"), count: size))
    result.pointee = Handle.create(LiveDetector(try RepDetector(snapshot: bytes)))
  }
}
