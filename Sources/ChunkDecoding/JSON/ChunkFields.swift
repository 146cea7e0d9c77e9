import Motion

/// The fields of an object other than its samples, read from chunks, sidecars and messages.
struct ChunkFields {
  var sessionId: String?
  var exerciseId: String?
  var setId: String?
  var chunkId: String?
  var phase: String?
  var type: String?
  var planId: String?
  var setOrder: Int?
  var exerciseIndex: Int?
  var count: Int?
  var timestamp: JSONValue?
  var startTime: JSONValue?
  var samplingRate: Double?

  private enum Key {
    case sessionId, exerciseId, setId, chunkId, phase, type, planId, setOrder, exerciseIndex, count
    case timestamp, startTime, samplingRate
  }

  private static func key(_ key: UnsafeBufferPointer<UInt8>) -> Key? {
    func `is`(_ name: StaticString) -> Bool { SampleField.equal(key, name) }
    switch key.count {
    case 4: return `is`("type") ? .type : nil
    case 5:
      return `is`("setId") ? .setId : `is`("phase") ? .phase : `is`("count") ? .count : nil
    case 6: return `is`("planId") ? .planId : nil
    case 7: return `is`("chunkId") ? .chunkId : nil
    case 8: return `is`("setOrder") ? .setOrder : nil
    case 9:
      return `is`("sessionId")
        ? .sessionId
        : `is`("timestamp") ? .timestamp : `is`("startTime") ? .startTime : nil
    case 10: return `is`("exerciseId") ? .exerciseId : nil
    case 11: return `is`("sampleCount") ? .count : nil
    case 12: return `is`("samplingRate") ? .samplingRate : nil
    case 13: return `is`("exerciseIndex") ? .exerciseIndex : nil
    case 16: return `is`("captureFrequency") ? .samplingRate : nil
    default: return nil
    }
  }

  /// Reads the value of a key if the key is known; otherwise returns false without moving.
  mutating func read(
    _ scanner: inout JSONScanner, key name: UnsafeBufferPointer<UInt8>, depth: Int
  ) throws(ScanFailure) -> Bool {
    guard let key = Self.key(name) else { return false }
    scanner.skipWhitespace()
    if scanner.byte == UInt8(ascii: "{") || scanner.byte == UInt8(ascii: "[") { return false }
    let start = scanner.position
    let value = try JSONValue(&scanner, depth: depth)
    if case .text(let text) = value, text.utf8.count > scanner.limits.textBytes {
      throw ScanFailure(reason: .textTooLong, offset: start)
    }
    switch key {
    case .sessionId: sessionId = value.idText
    case .exerciseId: exerciseId = value.idText
    case .setId: setId = value.idText
    case .chunkId: chunkId = value.idText
    case .phase: phase = value.text
    case .type: type = value.text
    case .planId: planId = value.idText
    case .setOrder: setOrder = value.integer
    case .exerciseIndex: exerciseIndex = value.integer
    case .count: count = value.integer
    case .timestamp: timestamp = value
    case .startTime: startTime = value
    case .samplingRate: samplingRate = value.number
    }
    return true
  }

  /// Reads an object that describes the chunk, a `metadata` member or a sidecar, from its brace.
  mutating func readObject(_ scanner: inout JSONScanner, depth: Int) throws(ScanFailure) {
    guard depth < scanner.limits.depth else { throw scanner.failure(.tooDeep) }
    scanner.skipWhitespace()
    guard scanner.byte == UInt8(ascii: "{") else { throw scanner.failure(.expectedValue) }
    if scanner.entersEmpty(UInt8(ascii: "}")) { return }
    repeat {
      let key = try scanner.skipKey()
      if try !read(&scanner, key: key, depth: depth + 1) {
        try scanner.skipValue(depth: depth + 1)
      }
    } while try !scanner.endsAfterElement(UInt8(ascii: "}"))
  }

  /// Fills missing fields from `other`.
  mutating func fill(from other: ChunkFields) {
    sessionId = sessionId ?? other.sessionId
    exerciseId = exerciseId ?? other.exerciseId
    setId = setId ?? other.setId
    chunkId = chunkId ?? other.chunkId
    phase = phase ?? other.phase
    type = type ?? other.type
    planId = planId ?? other.planId
    setOrder = setOrder ?? other.setOrder
    exerciseIndex = exerciseIndex ?? other.exerciseIndex
    count = count ?? other.count
    timestamp = timestamp ?? other.timestamp
    startTime = startTime ?? other.startTime
    samplingRate = samplingRate ?? other.samplingRate
  }

  var identity: SetIdentity {
    SetIdentity(sessionId: sessionId, exerciseId: exerciseId, setId: setId)
  }

  func metadata(_ encoding: DateEncoding?) -> ChunkMetadata {
    ChunkMetadata(
      type: type, planId: planId, setOrder: setOrder, exerciseIndex: exerciseIndex,
      statedCount: count, unixTime: timestamp?.unixTime(encoding))
  }

  /// Reads a sidecar: a JSON object with ids and phase.
  ///
  /// - Returns: The sidecar's fields; if it is damaged, those before the damage.
  static func sidecar(
    _ bytes: UnsafeRawBufferPointer, limits: DecodingLimits
  ) -> (fields: ChunkFields, failure: DecodingFailure?) {
    var fields = ChunkFields()
    do throws(DecodingFailure) {
      let start = try textStart(of: bytes)
      var scanner = JSONScanner(bytes, range: start..<bytes.count, limits: limits)
      do throws(ScanFailure) {
        try fields.readObject(&scanner, depth: 0)
        scanner.skipWhitespace()
        guard scanner.position == scanner.end else { throw scanner.failure(.trailingContent) }
      } catch {
        throw error.failure(limits: limits)
      }
    } catch {
      return (fields, error)
    }
    return (fields, nil)
  }
}
