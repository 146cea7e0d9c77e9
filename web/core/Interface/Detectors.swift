import Motion
import RepDetection
import TextFormats

/// A detector and its pending events.
private final class LiveDetector {
  var detector: RepDetector
  var events: [String] = []

  init(_ detector: RepDetector) { self.detector = detector }

  func collect(_ event: DetectionEvent) { events.append(exactJSON(event)) }
}

private func detector(_ handle: UnsafeMutableRawPointer) -> LiveDetector {
  Unmanaged<LiveDetector>.fromOpaque(handle).takeUnretainedValue()
}

private func hints(
  _ exercise: UnsafePointer<UInt8>?, _ exerciseCount: Int32, _ targetReps: Int32,
  _ minimumReps: Int32, _ expectedPeriod: Double, _ alternating: Int32
) -> SetHints {
  SetHints(
    expectedPeriodSeconds: expectedPeriod > 0 ? expectedPeriod : nil,
    isAlternating: alternating == 0 ? nil : alternating > 0,
    targetReps: targetReps > 0 ? Int(targetReps) : nil,
    minimumReps: minimumReps > 0 ? Int(minimumReps) : nil,
    exercise: ExercisePrior.named(string(exercise, exerciseCount)))
}

/// Creates a detector. A hint of zero is unknown; `alternating` is 1, 0 or −1.
@_cdecl("reptrace_detector_create")
public func createDetector(
  _ findsSets: Int32, _ exercise: UnsafePointer<UInt8>?, _ exerciseCount: Int32,
  _ targetReps: Int32, _ minimumReps: Int32, _ expectedPeriod: Double, _ alternating: Int32,
  _ setProbability: Double
) -> UnsafeMutableRawPointer {
  var configuration = DetectorConfiguration()
  configuration.hints = hints(
    exercise, exerciseCount, targetReps, minimumReps, expectedPeriod, alternating)
  if setProbability > 0 { configuration.setProbability = setProbability }
  let detector = RepDetector(configuration: configuration, findsSets: findsSets != 0)
  return Unmanaged.passRetained(LiveDetector(detector)).toOpaque()
}

@_cdecl("reptrace_detector_destroy")
public func destroyDetector(_ handle: UnsafeMutableRawPointer) {
  Unmanaged<LiveDetector>.fromOpaque(handle).release()
}

/// Appends samples.
///
/// - Parameters:
///   - channels: Bit c for the channel with number c; time is bit 0.
///   - columns: `count` values of each channel, one channel after the other in ascending order.
///   - phase: 0 unknown, 1 execution, 2 rest.
@_cdecl("reptrace_detector_append")
public func append(
  _ handle: UnsafeMutableRawPointer, _ channels: UInt32, _ columns: UnsafePointer<Double>,
  _ count: Int32, _ phase: Int32
) {
  var values: [MotionChannel: [Double]] = [:]
  var next = columns
  for channel in MotionChannel.allCases where channels >> channel.rawValue & 1 != 0 {
    values[channel] = Array(UnsafeBufferPointer(start: next, count: Int(count)))
    next += Int(count)
  }
  let live = detector(handle)
  live.detector.append(
    MotionBatch(values), phase: phase == 0 ? nil : phase == 1 ? .execution : .rest
  ) { live.collect($0) }
}

@_cdecl("reptrace_detector_begin_set")
public func beginSet(
  _ handle: UnsafeMutableRawPointer, _ hasHints: Int32, _ exercise: UnsafePointer<UInt8>?,
  _ exerciseCount: Int32, _ targetReps: Int32, _ minimumReps: Int32, _ expectedPeriod: Double,
  _ alternating: Int32
) {
  let live = detector(handle)
  let own =
    hasHints == 0
    ? nil
    : hints(exercise, exerciseCount, targetReps, minimumReps, expectedPeriod, alternating)
  live.detector.beginSet(hints: own) { live.collect($0) }
}

@_cdecl("reptrace_detector_end_set")
public func endSet(_ handle: UnsafeMutableRawPointer) {
  let live = detector(handle)
  live.detector.endSet { live.collect($0) }
}

@_cdecl("reptrace_detector_finish")
public func finish(_ handle: UnsafeMutableRawPointer) {
  let live = detector(handle)
  live.detector.finish { live.collect($0) }
}

/// Returns JSON: an array of the events since the last call.
@_cdecl("reptrace_detector_events")
public func events(_ handle: UnsafeMutableRawPointer) -> Int32 {
  let live = detector(handle)
  defer { live.events.removeAll(keepingCapacity: true) }
  return returned(JSONObjectText.array(live.events))
}

@_cdecl("reptrace_version")
public func version() -> Int32 { returned(libraryVersion) }
