import Foundation
import Motion
import TestSupport
import Testing

@testable import MotionSynthesis
@testable import TimelineFormat

/// Blobs that were written once and must always decode. The values of their columns are stored with them, as
/// little-endian Doubles, channel by channel.
///
/// Run with `REPTRACE_WRITE_GOLDEN=1` to write missing files; existing ones are never overwritten.
struct TimelineGoldenTests {
  static let isWriting = ProcessInfo.processInfo.environment["REPTRACE_WRITE_GOLDEN"] != nil

  static func write(_ bytes: [UInt8], _ name: String) throws {
    let file = goldenFolder.appendingPathComponent(name)
    guard isWriting, !FileManager.default.fileExists(atPath: file.path) else { return }
    try FileManager.default.createDirectory(at: goldenFolder, withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  static func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: goldenFolder.appendingPathComponent(name)))
  }

  static func values(of batch: MotionBatch) -> [UInt8] {
    batch.channels.flatMap { channel in
      batch[channel].flatMap { value in
        withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
      }
    }
  }

  @Test func firstVersionDecodes() throws {
    let decoded = try TimelineDecoder().decode(Self.read("timeline-v1.blob"))
    let expected = GoldenTimeline.timeline()
    #expect(sameBits(decoded.samples, expected.samples))
    #expect(decoded.phases == expected.phases)
    #expect(decoded.set == expected.set)
    #expect(decoded.health == expected.health)
    #expect(decoded.movementCurve == expected.movementCurve)
    #expect(decoded.identity == expected.identity)
    #expect(decoded.unixTimeOfFirstSample == expected.unixTimeOfFirstSample)
    #expect(decoded.provenance == expected.provenance)
    // Sections of type 3 had a meaning when the blob was written.
    #expect(decoded.otherSections.filter { $0.type.rawValue != 3 } == expected.otherSections)
    try Self.write(Self.values(of: expected.samples), "timeline-v1.values")
    #expect(try Self.read("timeline-v1.values") == Self.values(of: expected.samples))
  }

  @Test(arguments: GoldenExample.allCases)
  func everyCodecDecodes(example: GoldenExample) throws {
    let name = "timeline-v1-\(example.rawValue)"
    if Self.isWriting {
      let encoder = TimelineEncoder(precision: example.precision, rowsPerBlock: 400)
      let timeline = Timeline(samples: example.samples(), set: GoldenTimeline.timeline().set)
      let blob = try encoder.encode(timeline)
      try Self.write(blob, "\(name).blob")
      try Self.write(
        Self.values(of: try TimelineDecoder().decode(blob).samples), "\(name).values")
    }
    let bytes = try Self.read("\(name).blob")
    let decoded = try TimelineDecoder().decode(bytes)
    #expect(Self.values(of: decoded.samples) == (try Self.read("\(name).values")))
    let codecs = try TimelineBlob(bytes).inspect().columns.flatMap { $0.blocksPerCodec.keys }
    #expect(Set(codecs.compactMap { ColumnCodec(rawValue: $0) }).isSuperset(of: example.codecs))
  }
}

/// The worked example of the format page, byte for byte.
struct TimelineWorkedExampleTests {
  @Test func documentedBytesDecode() throws {
    let page = try String(
      contentsOf: packageRoot.appendingPathComponent("docs/timeline-format.md"), encoding: .utf8)
    let lines = page.split(separator: "\n").drop { $0 != "## A worked example" }
    let bytes = lines.filter { $0.hasPrefix("    ") }.flatMap { line in
      line.prefix { $0 != "|" }.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
    let timeline = Timeline(
      samples: MotionBatch([
        .time: [10, 10.02, 10.04, 10.06], .rotationRateX: [0.25, 0.5, 0.75, 1],
        .gravityZ: [-1, -1, -1, -1],
      ]),
      phases: [PhaseSpan(rows: 0..<4, phase: .execution)],
      identity: SetIdentity(setId: "7c9e6679-7425-40de-944b-e07fc1f90ae7"))
    #expect(bytes.count == 121)
    let decoded = try TimelineDecoder().decode(bytes)
    #expect(sameBits(decoded.samples, timeline.samples))
    #expect(decoded.phases == timeline.phases && decoded.identity == timeline.identity)
  }
}

/// Sources of the golden blobs of single codecs.
enum GoldenExample: String, CaseIterable, Sendable {
  case lossless, bounded, decimal, hostile

  var precision: TimelinePrecision { self == .bounded ? .bounded() : .lossless }

  /// The codecs that the example must use.
  var codecs: Set<ColumnCodec> {
    switch self {
    case .lossless: [.scaledIntegers, .splitFloats, .derivedGravity, .accelerationLattice]
    case .bounded: [.scaledIntegers, .derivedGravity]
    case .decimal: [.scaledIntegers, .constant]
    case .hostile: [.raw, .shuffledLZ4, .splitFloats, .scaledIntegers]
    }
  }

  func samples() -> MotionBatch {
    switch self {
    case .lossless, .bounded: Self.coreMotionLike(count: 900)
    case .decimal: Self.decimals()
    case .hostile: Self.hostile()
    }
  }

  /// Returns values with the structure of Core Motion's: a rotating wrist whose yaw passes half a turn.
  static func coreMotionLike(count: Int) -> MotionBatch {
    var generator = RandomSource(seed: 17)
    func noise() -> Double { Double.random(in: -1...1, using: &generator) }
    var columns: [MotionChannel: [Double]] = [:]
    func add(_ channel: MotionChannel, _ value: Double) {
      columns[channel, default: []].append(value)
    }
    var ticks: Int64 = 2_400_000_000_000
    for row in 0..<count {
      ticks += (row % 7 == 3 ? 480_464 : 481_200) + Int64(noise() * 20)
      if row == count / 2 { ticks += 24_000_000 * 90 }
      let time = Double(ticks) * (1 / 24e6)
      let phase = Double(row) / 40
      let roll = 0.6 * sin(phase) + noise() * 1e-4
      let pitch = 0.4 * cos(phase * 0.7) + noise() * 1e-4
      let yaw = remainder(3 + 0.4 * sin(phase * 0.9) + noise() * 1e-4, 2 * .pi)
      let (sine, cosine) = DeterministicTrigonometry.sineAndCosine(SIMD4(roll, pitch, 0, 0))
      let gravity = [cosine.y * sine.x, -sine.y, -(cosine.y * cosine.x)]
      let (rollRate, pitchRate, yawRate) = (
        0.6 * cos(phase) * 1.25, -0.28 * sin(phase * 0.7) * 1.25, 0.36 * cos(phase * 0.9) * 1.25
      )
      add(.time, time)
      for (axis, channel) in MotionQuantity.userAcceleration.channels.enumerated() {
        let read = ((sin(phase + Double(axis)) * 0.3 + noise() * 0.02 + gravity[axis]) * 65536)
          .rounded()
        add(channel, row == 33 ? noise() : Double(Float(read / 65536 - gravity[axis])))
      }
      add(
        .rotationRateX,
        Double(Float(cosine.x * pitchRate - sine.x * cosine.y * yawRate + noise() * 0.02)))
      add(.rotationRateY, Double(Float(sine.y * yawRate + rollRate + noise() * 0.02)))
      add(
        .rotationRateZ,
        Double(Float(sine.x * pitchRate + cosine.x * cosine.y * yawRate + noise() * 0.02)))
      for (axis, channel) in MotionQuantity.gravity.channels.enumerated() {
        add(channel, row == 77 ? gravity[axis] + 0.01 : Double(Float(gravity[axis])))
      }
      add(.roll, row == 12 ? .nan : roll)
      add(.pitch, pitch)
      add(.yaw, yaw)
    }
    return MotionBatch(columns)
  }

  /// Returns values with few decimals, as read from text, in degrees and m/s², with a frozen sensor.
  static func decimals() -> MotionBatch {
    var generator = RandomSource(seed: 23)
    func noise() -> Double { Double.random(in: -1...1, using: &generator) }
    let rows = 0..<700
    var batch = MotionBatch(
      [
        .time: rows.map { Double(1_700_000_000_000 + 20 * $0 + $0 % 3) },
        .userAccelerationX: rows.map { _ in (noise() * 1e6).rounded() / 1e6 },
        .userAccelerationY: rows.map { (sin(Double($0) / 20) * 100).rounded() / 100 },
        .gravityX: rows.map { _ in 9.81 },
        .yaw: rows.map { ((remainder(Double($0) * 3.7, 360)) * 10).rounded() / 10 },
        .magneticFieldX: rows.map { $0 % 50 == 0 ? .nan : Double(40 + $0 / 10) },
      ],
      units: MotionUnits(
        time: .milliseconds, userAcceleration: .metersPerSecondSquared,
        gravity: .metersPerSecondSquared, attitude: .degrees), clock: .unix)
    batch.estimated = [.gravityX]
    return batch
  }

  static func hostile() -> MotionBatch {
    var generator = RandomSource(seed: 29)
    let rows = 0..<500
    return MotionBatch([
      .time: rows.map { Double($0 % 10) * -0.1 + Double($0 / 100) * 1e6 },
      .userAccelerationX: rows.map { _ in Double(bitPattern: generator.next()) },
      .userAccelerationY: rows.map { $0 % 2 == 0 ? .nan : 1 },
      .userAccelerationZ: rows.map { $0 % 60 == 0 ? -0.0 : Double($0) * 0.1 },
      .rotationRateX: rows.map { $0 % 90 == 0 ? .infinity : Double(Float($0) * 0.37) },
      .rotationRateY: rows.map { Double(bitPattern: UInt64($0) << 3) },
      .rotationRateZ: rows.map { Double(sign: .plus, exponent: $0 % 40 - 20, significand: 1.3) },
      .quaternionW: rows.map { Double($0 / 100) * 1e-3 },
    ])
  }
}
