/// The mean rep of a finalized set on a person's wrist. Small enough to be stored with the history and used
/// as a hint for the next set of the exercise.
///
/// Sixteen phases of nine values in the device's axes, in 588 bytes. Valid for the same watch worn in the
/// same way.
public struct MovementPattern: Sendable, Hashable, Codable {
  /// Gravity (g), rotation rate (rad/s) and user acceleration (g) at a phase of a rep.
  public struct Phase: Sendable, Hashable, Codable {
    public var gravity: SIMD3<Float>
    public var rotation: SIMD3<Float>
    public var userAcceleration: SIMD3<Float>

    public init(
      gravity: SIMD3<Float>, rotation: SIMD3<Float>, userAcceleration: SIMD3<Float>
    ) {
      self.gravity = gravity
      self.rotation = rotation
      self.userAcceleration = userAcceleration
    }
  }

  public static let phaseCount = 16
  public static let byteCount = 12 + 4 * 9 * phaseCount
  private static let version: UInt8 = 1

  /// The ``phaseCount`` phases from the begin of a rep to its end.
  public let phases: [Phase]
  /// Duration of a typical rep, in seconds.
  public var durationSeconds: Double
  /// Median similarity of the reps that the pattern was learned from, −1 to 1.
  public var similarity: Double
  /// Number of reps that the pattern was learned from.
  public var repCount: Int

  /// Returns nil unless there are ``phaseCount`` phases of finite values and the duration is positive.
  public init?(phases: [Phase], durationSeconds: Double, similarity: Double, repCount: Int) {
    guard
      phases.count == Self.phaseCount, durationSeconds > 0, durationSeconds.isFinite,
      similarity.isFinite, repCount > 0,
      phases.allSatisfy({ Self.values(of: $0).allSatisfy { $0.isFinite } })
    else { return nil }
    self.phases = phases
    self.durationSeconds = durationSeconds
    self.similarity = similarity
    self.repCount = repCount
  }

  #if !hasFeature(Embedded)
    /// Throws if ``init(phases:durationSeconds:similarity:repCount:)`` returns nil for the values.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      guard
        let pattern = Self(
          phases: try values.decode([Phase].self, forKey: .phases),
          durationSeconds: try values.decode(Double.self, forKey: .durationSeconds),
          similarity: try values.decode(Double.self, forKey: .similarity),
          repCount: try values.decode(Int.self, forKey: .repCount))
      else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "not the pattern of a movement"))
      }
      self = pattern
    }
  #endif

  private static func values(of phase: Phase) -> [Float] {
    [phase.gravity, phase.rotation, phase.userAcceleration].flatMap { [$0.x, $0.y, $0.z] }
  }

  // MARK: Storage

  /// The encoded pattern: version (1), number of phases, number of reps (2 bytes), duration and similarity
  /// (Float32), then for each phase gravity, rotation and acceleration (nine Float32); little-endian. A
  /// duration or similarity outside a Float32's range is not restored.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [Self.version, UInt8(Self.phaseCount)]
    let reps = UInt16(clamping: repCount)
    bytes += [UInt8(truncatingIfNeeded: reps), UInt8(truncatingIfNeeded: reps >> 8)]
    func append(_ value: Float) {
      let bits = value.bitPattern
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }
    append(Float(durationSeconds))
    append(Float(similarity))
    for phase in phases { for value in Self.values(of: phase) { append(value) } }
    return bytes
  }

  /// Decodes a pattern; nil if the bytes are invalid or have a later version.
  public init?(bytes: [UInt8]) {
    guard
      bytes.count == Self.byteCount, bytes[0] == Self.version, bytes[1] == UInt8(Self.phaseCount)
    else { return nil }
    let values = stride(from: 4, to: bytes.count, by: 4).map { i in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[i + $1]) << (8 * UInt32($1)) }
      return Float(bitPattern: bits)
    }
    let phases = (0..<Self.phaseCount).map { k in
      let v = values[(2 + 9 * k)..<(11 + 9 * k)]
      let b = v.startIndex
      return Phase(
        gravity: SIMD3(v[b], v[b + 1], v[b + 2]), rotation: SIMD3(v[b + 3], v[b + 4], v[b + 5]),
        userAcceleration: SIMD3(v[b + 6], v[b + 7], v[b + 8]))
    }
    self.init(
      phases: phases, durationSeconds: Double(values[0]), similarity: Double(values[1]),
      repCount: Int(bytes[2]) | Int(bytes[3]) << 8)
  }
}
