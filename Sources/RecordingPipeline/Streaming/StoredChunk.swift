import ChunkDecoding
import Motion
import TimelineFormat

/// A chunk in memory until its set is finalized. Samples are packed without loss, or compressed if that may
/// take long. Ids are omitted because the set has them.
struct StoredChunk: Sendable {
  private enum Rates: Sendable {
    case unknown
    case constant(Double)
    case each([Double])
  }

  private enum Samples: Sendable {
    case none(MotionUnits, MotionClock)
    case packed(PackedSamples)
    /// A blob in the timeline format.
    case compressed([UInt8])
  }

  let count: Int
  /// Time of the first sample, rebuilt for live use, in seconds on the samples' clock; nil without samples.
  let first: Double?
  let last: Double?
  private var samples: Samples
  private let rates: Rates
  private let phase: WorkoutPhase?
  private let timeResolution: DecodedChunk.TimeResolution
  private let gravityIsUncertain: Bool
  private let unixTimeOfFirstSample: Double?
  private let sentUnixTime: Double?

  init(_ chunk: DecodedChunk) {
    self.init(chunk, liveTimes: chunk.withRebuiltTimes().samples.times)
  }

  /// - Parameters:
  ///   - times: Times rebuilt for live use.
  ///   - packed: The chunk's samples, if they are already packed.
  init(_ chunk: DecodedChunk, liveTimes times: [Double], packed: PackedSamples? = nil) {
    let batch = chunk.samples
    let scale = batch.units.time.unitsPerSecond
    count = batch.count
    first = times.min().map { $0 / scale }
    last = times.max().map { $0 / scale }
    phase = chunk.phase
    timeResolution = chunk.timeResolution
    gravityIsUncertain = chunk.gravityIsUncertain
    unixTimeOfFirstSample = chunk.unixTimeOfFirstSample
    sentUnixTime = chunk.metadata.unixTime
    let frequencies = chunk.captureFrequenciesHz
    if let one = frequencies.first {
      rates =
        frequencies.allSatisfy { $0.bitPattern == one.bitPattern }
        ? .constant(one) : .each(frequencies)
    } else {
      rates = .unknown
    }
    samples =
      batch.isEmpty
      ? .none(batch.units, batch.clock) : .packed(packed ?? PackedSamples(batch))
  }

  // MARK: - Bytes of a journal

  /// First byte of a journaled chunk; neither JSON nor a frame begins with it.
  static let journalMark: UInt8 = 1

  private struct Flags: OptionSet {
    var rawValue: UInt8
    static let wholeSeconds = Flags(rawValue: 1)
    static let gravityIsUncertain = Flags(rawValue: 2)
    static let firstDate = Flags(rawValue: 4)
    static let sendingDate = Flags(rawValue: 8)
    static let constantRate = Flags(rawValue: 16)
    static let rates = Flags(rawValue: 32)
    static let samples = Flags(rawValue: 64)
  }

  /// Encodes the chunk in a fraction of the message's size; phase and ids are stored separately. Must be
  /// called before the chunk is compressed.
  ///
  /// - Parameter hash: The message's hash.
  func journalBytes(hash: UInt64) -> [UInt8] {
    var flags = Flags()
    var words = [hash]
    func add(_ flag: Flags, _ values: [Double]) {
      flags.insert(flag)
      words += values.map(\.bitPattern)
    }
    if timeResolution == .wholeSeconds { flags.insert(.wholeSeconds) }
    if gravityIsUncertain { flags.insert(.gravityIsUncertain) }
    if let unixTimeOfFirstSample { add(.firstDate, [unixTimeOfFirstSample]) }
    if let sentUnixTime { add(.sendingDate, [sentUnixTime]) }
    switch rates {
    case .unknown: break
    case .constant(let rate): add(.constantRate, [rate])
    case .each(let rates): add(.rates, [Double(rates.count)] + rates)
    }
    if count > 0 { flags.insert(.samples) }
    var bytes: [UInt8] = [Self.journalMark, flags.rawValue]
    bytes.reserveCapacity(2 + 8 * words.count + byteCount + 256)
    for word in words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    switch samples {
    case .packed(let packed): packed.append(to: &bytes)
    case .none, .compressed: if count > 0 { PackedSamples(batch).append(to: &bytes) }
    }
    return bytes
  }

  /// Returns the message hash in bytes that ``journalBytes(hash:)`` wrote; nil if they are malformed.
  static func messageHash(inJournal bytes: [UInt8]) -> UInt64? {
    guard bytes.count >= 10, bytes[0] == journalMark else { return nil }
    return bytes[2..<10].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Decodes bytes that ``journalBytes(hash:)`` wrote: the chunk, its packed samples, and the message's
  /// hash. Returns nil if they are malformed.
  static func decodeJournal(
    _ bytes: [UInt8]
  ) -> (chunk: DecodedChunk, packed: PackedSamples?, hash: UInt64)? {
    guard let hash = messageHash(inJournal: bytes) else { return nil }
    let flags = Flags(rawValue: bytes[1])
    var rest = bytes[10...]
    func word() -> UInt64? {
      guard rest.count >= 8 else { return nil }
      defer { rest = rest.dropFirst(8) }
      return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    func double() -> Double { Double(bitPattern: word() ?? 0) }
    var chunk = DecodedChunk(samples: MotionBatch())
    if flags.contains(.wholeSeconds) { chunk.timeResolution = .wholeSeconds }
    chunk.gravityIsUncertain = flags.contains(.gravityIsUncertain)
    if flags.contains(.firstDate) { chunk.unixTimeOfFirstSample = double() }
    if flags.contains(.sendingDate) { chunk.metadata.unixTime = double() }
    let constantRate = flags.contains(.constantRate) ? double() : nil
    if flags.contains(.rates) {
      let count = double()
      guard count >= 0, count * 8 <= Double(rest.count) else { return nil }
      chunk.captureFrequenciesHz = (0..<Int(count)).map { _ in double() }
    }
    var packed: PackedSamples?
    if flags.contains(.samples) {
      packed = PackedSamples(rest)
      guard let packed else { return nil }
      chunk.samples = packed.batch
    }
    if let constantRate {
      chunk.captureFrequenciesHz = Array(repeating: constantRate, count: chunk.samples.count)
    }
    return (chunk, packed, hash)
  }

  /// Size of the stored samples, in bytes.
  var byteCount: Int {
    switch samples {
    case .none: 0
    case .packed(let packed): packed.byteCount
    case .compressed(let blob): blob.count
    }
  }

  /// Compresses the samples to half their size. Takes ten times as long as packing.
  mutating func compress() {
    guard case .packed(let packed) = samples,
      let blob = try? TimelineEncoder().encode(Timeline(samples: packed.batch))
    else { return }
    // Copy, to drop the array's spare capacity.
    samples = .compressed(blob.withUnsafeBytes { [UInt8]($0) })
  }

  /// The chunk as it was received, without ids.
  var chunk: DecodedChunk {
    var result = DecodedChunk(samples: batch)
    result.phase = phase
    result.timeResolution = timeResolution
    result.gravityIsUncertain = gravityIsUncertain
    result.unixTimeOfFirstSample = unixTimeOfFirstSample
    result.metadata.unixTime = sentUnixTime
    switch rates {
    case .unknown: break
    case .constant(let rate): result.captureFrequenciesHz = Array(repeating: rate, count: count)
    case .each(let rates): result.captureFrequenciesHz = rates
    }
    return result
  }

  private var batch: MotionBatch {
    switch samples {
    case .none(let units, let clock): MotionBatch(units: units, clock: clock)
    case .packed(let packed): packed.batch
    case .compressed(let blob): (try? TimelineDecoder().decode(blob).samples) ?? MotionBatch()
    }
  }
}
