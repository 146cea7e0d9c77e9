// Functions have the names that C calls them by.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CRepTrace
import RecordingPipeline
import RepDetection

extension StreamOptions {
  fileprivate init(_ options: reptrace_session_options) {
    self.init()
    if options.gap_wait > 0 { gapWaitSeconds = options.gap_wait }
    if options.set_probability > 0 { detector.setProbability = options.set_probability }
    if options.set_prior > 0 { detector.setPrior = options.set_prior }
  }
}

extension SessionLimits {
  fileprivate init(_ options: reptrace_session_options) {
    self.init()
    func limit(_ value: UInt64, _ usual: Int) -> Int {
      value == 0 ? usual : Int(min(value, 1 << 40))
    }
    endedSets = limit(options.ended_sets, endedSets)
    samples = limit(options.samples, samples)
    samplesPerSet = min(samplesPerSet, samples)
    messageBytes = limit(options.message_bytes, messageBytes)
  }
}

private func read(
  _ options: UnsafePointer<reptrace_session_options>?
) throws -> (StreamOptions, SessionLimits) {
  guard let options else { return (StreamOptions(), SessionLimits()) }
  let value = options.pointee
  try checkSize(value.struct_size, of: reptrace_session_options.self, "options")
  try require(
    value.gap_wait.isFinite && value.gap_wait >= 0,
    "gap_wait is \(value.gap_wait); expected seconds, or 0")
  try check(setProbability: value.set_probability, setPrior: value.set_prior)
  return (StreamOptions(value), SessionLimits(value))
}

@c @implementation
public func reptrace_session_create(
  _ options: UnsafePointer<reptrace_session_options>?,
  _ session: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let result = try required(session, "session")
    let (options, limits) = try read(options)
    result.pointee = Handle.create(StreamSession(options: options, limits: limits))
  }
}

@c @implementation
public func reptrace_session_restore(
  _ options: UnsafePointer<reptrace_session_options>?, _ snapshot: UnsafePointer<UInt8>?,
  _ size: Int, _ session: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let result = try required(session, "session")
    try checkCount(size, "size")
    let bytes = Array(UnsafeBufferPointer(start: try required(snapshot, "snapshot"), count: size))
    let (options, limits) = try read(options)
    result.pointee = Handle.create(
      try StreamSession.restored(from: bytes, options: options, limits: limits))
  }
}

@c @implementation
public func reptrace_session_append(
  _ session: OpaquePointer?, _ messages: UnsafePointer<UInt8>?, _ ends: UnsafePointer<UInt64>?,
  _ count: Int, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let session = try Handle.object(session, "session", as: StreamSession.self)
    try checkCount(count, "count")
    guard count > 0 else { return }
    let ends = UnsafeBufferPointer(start: try required(ends, "ends"), count: count)
    let bytes = try required(messages, "messages")
    var start: UInt64 = 0
    let list = try ends.enumerated().map { index, end in
      try require(
        end >= start && end <= UInt64(Int.max / 256),
        "ends[\(index)] is \(end); expected \(start) or more")
      defer { start = end }
      return Array(UnsafeBufferPointer(start: bytes + Int(start), count: Int(end - start)))
    }
    try session.append(list)
  }
}

@c @implementation
public func reptrace_session_finish(
  _ session: OpaquePointer?, _ forgets: Int32, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let session = try Handle.object(session, "session", as: StreamSession.self)
    if forgets == 0 { try session.finish() } else { try session.end() }
  }
}

@c @implementation
public func reptrace_session_take(
  _ session: OpaquePointer?, _ lines: UnsafeMutablePointer<OpaquePointer?>?,
  _ timelines: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let session = try Handle.object(session, "session", as: StreamSession.self)
    let (lines, timelines) = (try required(lines, "lines"), try required(timelines, "timelines"))
    let results = session.takeResults()
    lines.pointee = Handle.create(LentValues(results.lines))
    timelines.pointee = Handle.create(LentValues(results.timelines))
  }
}

@c @implementation
public func reptrace_session_save(
  _ session: OpaquePointer?, _ head: UnsafeMutablePointer<OpaquePointer?>?,
  _ messages: UnsafeMutablePointer<OpaquePointer?>?, _ replaces: UnsafeMutablePointer<Int32>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let session = try Handle.object(session, "session", as: StreamSession.self)
    let (head, messages) = (try required(head, "head"), try required(messages, "messages"))
    let replaces = try required(replaces, "replaces")
    let saved = try session.save()
    head.pointee = Handle.create(LentValues(saved.head))
    messages.pointee = Handle.create(LentValues(saved.messages))
    replaces.pointee = saved.replacesMessages ? 1 : 0
  }
}

@c @implementation
public func reptrace_session_snapshot(
  _ session: OpaquePointer?, _ snapshot: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<reptrace_error>?
) -> reptrace_status {
  reporting(to: error) {
    let session = try Handle.object(session, "session", as: StreamSession.self)
    let result = try required(snapshot, "snapshot")
    result.pointee = Handle.create(LentValues(try session.snapshot()))
  }
}

@c @implementation
public func reptrace_session_is_idle(_ session: OpaquePointer?) -> Int32 {
  session.map { Handle.object($0, as: StreamSession.self).isIdle ? 1 : 0 } ?? 1
}

@c @implementation
public func reptrace_session_destroy(_ session: OpaquePointer?) {
  Handle.destroy(session, StreamSession.self)
}
