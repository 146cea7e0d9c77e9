import MotionFrames

extension RepDetector {
  /// "RTSN" and the version of the state's meaning. Increment the version if a field keeps its name and size
  /// but changes its meaning; the digest of the layout shows any other change.
  private static let magic: [UInt8] = [0x52, 0x54, 0x53, 0x4E, 1, 0]

  /// Returns the detector's state as bytes. A detector restored by ``init(snapshot:)`` emits exactly the
  /// events that this one would, sample for sample. Rejections recorded for
  /// ``diagnose(_:phases:configuration:)`` are not included.
  ///
  /// The bytes are a magic number, a version, a digest of the layout (8 bytes), the state, and a checksum
  /// (FNV-1a, 8 bytes): at most 96 KiB and the frames of the set under way (21 bytes each, 25 a second, twice
  /// that in a declared set). They contain health data, but no secrets of the program.
  public func snapshot() -> [UInt8] { snapshot(beside: Nothing()) }

  /// Returns the bytes of ``snapshot()`` with a companion's state, under the same checksum and digest.
  package func snapshot(beside companion: some Encodable) -> [UInt8] {
    let state = SnapshotWriter()
    // The writer accepts every value; if it failed, restoring the snapshot would be refused.
    try? state.write(companion)
    try? state.write(shared)
    try? state.write(findsSets)
    try? state.write(frontEnd)
    try? state.write(finder)
    try? state.writeIfPresent(declared)
    var bytes = Self.magic
    Self.append(state.layout.value, to: &bytes)
    bytes += state.bytes
    Self.append(FNV1a(bytes).value, to: &bytes)
    return bytes
  }

  /// Restores a detector from a snapshot, with the configuration at that time.
  ///
  /// The checksum detects accidental damage, not tampering: pass only bytes that your program wrote.
  ///
  /// - Throws: ``SnapshotError``.
  public init(snapshot: [UInt8]) throws(SnapshotError) {
    (self, _) = try Self.restored(from: snapshot, beside: Nothing.self)
  }

  /// Restores a detector and its companion from the bytes of ``snapshot(beside:)``.
  ///
  /// - Throws: ``SnapshotError``; ``SnapshotError/otherVersion`` also for a companion of another type.
  package static func restored<Companion: Decodable>(
    from snapshot: [UInt8], beside type: Companion.Type
  ) throws(SnapshotError) -> (detector: RepDetector, companion: Companion) {
    let header = magic.count + 8
    guard snapshot.count >= header + 8, snapshot.prefix(4) == Self.magic.prefix(4) else {
      throw .notASnapshot
    }
    let end = snapshot.count - 8
    guard number(snapshot[end...]) == FNV1a(snapshot[..<end]).value else { throw .damaged }
    guard snapshot.prefix(magic.count) == magic[...] else { throw .otherVersion }
    let state = SnapshotReader(snapshot[header..<end])
    let companion: Companion
    let detector: RepDetector
    do {
      companion = try state.read(type)
      detector = RepDetector(
        shared: try state.read(SharedConfiguration.self), findsSets: try state.read(Bool.self),
        frontEnd: try state.read(FrontEnd.self), finder: try state.read(SetFinder.self),
        declared: try state.readIfPresent(DeclaredSet.self))
    } catch {
      // Bytes of another layout may fail to decode before the digest is compared.
      throw .otherVersion
    }
    guard state.isAtEnd, number(snapshot[magic.count..<header]) == state.layout.value
    else { throw .otherVersion }
    return (detector, companion)
  }

  /// Returns true if the detector uses exactly this configuration, value for value.
  package func follows(_ configuration: DetectorConfiguration) -> Bool {
    func bytes(_ configuration: DetectorConfiguration) -> [UInt8] {
      let writer = SnapshotWriter()
      try? writer.write(configuration)
      return writer.bytes
    }
    return bytes(shared.value) == bytes(configuration)
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    for i in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * i))) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// An empty companion.
private struct Nothing: Codable {}

extension Boxed: Codable where Value: Codable {
  init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
  func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
