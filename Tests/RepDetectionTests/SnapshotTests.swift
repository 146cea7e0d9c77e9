import Motion
import TestSupport
import Testing

@testable import RepDetection

/// A detector that is restored from a snapshot emits the same events as the original.
struct SnapshotTests {
  @Test(arguments: [true, false], [1, 2, 3])
  func restoringAnywhereGivesTheSameEvents(isDeclared: Bool, seed: UInt64) throws {
    let parts = [
      SyntheticMotion.curls(reps: 7, seed: seed).samples,
      SyntheticMotion.curls(reps: 9, period: 1.4, pause: 0.2, seed: seed + 10).samples,
    ]
    for samples in parts {
      #expect(
        try RepDetector.eventsWithSnapshots(of: samples, isDeclared: isDeclared, seed: seed)
          == RepDetector.events(of: samples, isDeclared: isDeclared))
    }
  }

  @Test func restoredDetectorHasTheSameSnapshot() throws {
    var detector = RepDetector()
    let samples = SyntheticMotion.curls(reps: 9).samples
    detector.append(samples[0..<1100]) { _ in }
    let snapshot = detector.snapshot()
    #expect(try RepDetector(snapshot: snapshot).snapshot() == snapshot)
    #expect(snapshot.count <= (96 << 10) + detector.approximateSetByteCount)
  }

  /// During a long declared set, a snapshot grows only by the set's frames.
  @Test func sizeIsBounded() throws {
    var detector = RepDetector()
    detector.beginSet { _ in }
    let samples = SyntheticMotion.curls(reps: 200).samples
    detector.append(samples) { _ in }
    let snapshot = detector.snapshot()
    #expect(snapshot.count - detector.approximateSetByteCount <= 64 << 10)
  }

  @Test func keepsTheConfiguration() throws {
    var configuration = DetectorConfiguration()
    configuration.hints.targetReps = 6
    configuration.hints.patterns = [
      try #require(
        RepDetector.pattern(
          of: RepDetector.countSet(in: SyntheticMotion.curls(reps: 6).samples),
          in: SyntheticMotion.curls(reps: 6).samples))
    ]
    configuration.setProbability = 0.625
    let detector = RepDetector(configuration: configuration, findsSets: false)
    let snapshot = detector.snapshot()
    #expect(snapshot != RepDetector(findsSets: false).snapshot())
    #expect(try RepDetector(snapshot: snapshot).snapshot() == snapshot)
  }

  private struct Notes: Codable, Hashable {
    var name = "a"
    var number: Double? = 4
  }

  /// The companion's state is covered by the checksum, and its type by the layout.
  @Test func keepsACompanion() throws {
    var detector = RepDetector()
    detector.append(SyntheticMotion.curls(reps: 5).samples[0..<900]) { _ in }
    let snapshot = detector.snapshot(beside: Notes())
    let (restored, notes) = try RepDetector.restored(from: snapshot, beside: Notes.self)
    #expect(notes == Notes())
    #expect(restored.snapshot() == detector.snapshot())
    #expect(throws: SnapshotError.otherVersion) { try RepDetector(snapshot: snapshot) }
    #expect(throws: SnapshotError.otherVersion) {
      try RepDetector.restored(from: detector.snapshot(), beside: Notes.self)
    }
  }

  @Test func followsItsConfiguration() throws {
    var configuration = DetectorConfiguration()
    configuration.hints.targetReps = 6
    let restored = try RepDetector(
      snapshot: RepDetector(configuration: configuration).snapshot())
    #expect(restored.follows(configuration))
    #expect(!restored.follows(DetectorConfiguration()))
  }

  @Test func otherBytesAreNotASnapshot() {
    for bytes: [UInt8] in [[], Array("RTSN".utf8), Array(repeating: 7, count: 1000)] {
      #expect(throws: SnapshotError.notASnapshot) { try RepDetector(snapshot: bytes) }
    }
  }

  @Test func damageIsDetected() {
    var detector = RepDetector()
    detector.append(SyntheticMotion.curls(reps: 5).samples[0..<900]) { _ in }
    let snapshot = detector.snapshot()
    for position in stride(from: 4, to: snapshot.count, by: 61) {
      var bytes = snapshot
      bytes[position] ^= 1 << UInt8(position % 8)
      #expect(throws: SnapshotError.damaged) { try RepDetector(snapshot: bytes) }
      #expect(throws: SnapshotError.self) {
        try RepDetector(snapshot: Array(snapshot[..<position]))
      }
    }
  }

  /// Another version, or another layout of the same version.
  @Test(arguments: [4, 5, 6, 13])
  func otherVersionsAreRefused(byte: Int) {
    var bytes = RepDetector().snapshot()
    bytes[byte] ^= 1
    #expect(throws: SnapshotError.otherVersion) {
      try RepDetector(snapshot: Self.withChecksum(bytes))
    }
  }

  /// Truncated state, and trailing bytes.
  @Test func otherStatesAreRefused() {
    let whole = RepDetector().snapshot()
    for length in stride(from: 22, to: whole.count - 9, by: 37) {
      #expect(throws: SnapshotError.otherVersion) {
        try RepDetector(
          snapshot: Self.withChecksum(Array(whole[..<length]) + [0, 0, 0, 0, 0, 0, 0, 0]))
      }
    }
    #expect(throws: SnapshotError.otherVersion) {
      try RepDetector(snapshot: Self.withChecksum(whole + [0]))
    }
  }

  /// Returns the bytes with the last eight replaced by the matching checksum.
  private static func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
    let checksum = FNV1a(bytes.dropLast(8)).value
    return Array(bytes.dropLast(8))
      + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
  }
}

extension RepDetector {
  /// Returns all events of a recording, with a snapshot restored after every 1 to 100 samples.
  static func eventsWithSnapshots(
    of samples: MotionBatch, isDeclared: Bool, seed: UInt64
  ) throws -> [DetectionEvent] {
    var noise = Noise(seed: seed)
    var detector = RepDetector()
    var events: [DetectionEvent] = []
    if isDeclared { detector.beginSet { events.append($0) } }
    var row = 0
    while row < samples.count {
      let next = min(row + 1 + Int(noise.next().magnitude * 99), samples.count)
      detector.append(samples[row..<next]) { events.append($0) }
      detector = try RepDetector(snapshot: detector.snapshot())
      row = next
    }
    detector.finish { events.append($0) }
    return events
  }
}
