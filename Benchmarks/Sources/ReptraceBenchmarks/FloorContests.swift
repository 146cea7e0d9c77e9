import ChunkDecoding
import Foundation
import Motion
import RepDetection
import RepTrace
import TimelineFormat

/// Distance of each hot path from the machine's limits. The unavoidable parts of its work run beside it, each
/// alone.
///
/// These are not rivals: none of them does the path's work. Each ratio gives the fraction of the path's time
/// that the part would take.
enum FloorContests {
  static func all() throws -> [Contest] {
    try [memory(), chunks(), csv(), frames(), counting()] + blob() + [insert()]
  }

  // MARK: - Memory

  private static func memory() -> Contest {
    let words = 8 << 20
    let source = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: words)
    let target = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: words)
    source.initialize(repeating: 1)
    target.initialize(repeating: 0)
    return Contest(
      title: "floor: memory, one core, 64 MiB", amount: Double(words * 8) / 1e6, unit: "MB",
      contestants: [
        .init(name: "memcpy") {
          UnsafeMutableRawBufferPointer(target).copyMemory(from: UnsafeRawBufferPointer(source))
          return Double(target[words - 1])
        },
        .init(name: "every byte read once") {
          Double(sumOfWords(UnsafeRawBufferPointer(source)) / UInt64(words))
        },
      ])
  }

  private static func sumOfWords(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sums = SIMD8<UInt64>(repeating: 0)
    var index = 0
    while index + 64 <= bytes.count {
      sums &+= bytes.loadUnaligned(fromByteOffset: index, as: SIMD8<UInt64>.self)
      index += 64
    }
    return sums.wrappedSum()
  }

  // MARK: - Text

  private static func chunks() throws -> Contest {
    var random = SplitMix64(state: 7)
    let chunks = (0..<200).map { _ in [UInt8](MotionText.chunk(shuffled: false, &random)) }
    return try text("JSON chunks of 17 digits a number", chunks) {
      try chunks.reduce(0) { sum, bytes in
        let line = try bytes.withUnsafeBytes { try RecordingDecoder.decodeLine($0) }
        return line.messages.reduce(sum) { sum, message in
          guard case .chunk(let chunk) = message else { return sum }
          return sum + self.sum(chunk.samples)
        }
      }
    }
  }

  private static func csv() throws -> Contest {
    var random = SplitMix64(state: 8)
    let bytes = [UInt8](MotionText.csv(rows: 20_000, &random))
    return try text("CSV of 17 digits a number", [bytes]) {
      let file = try bytes.withUnsafeBytes { try RecordingDecoder.decode($0, fileName: "x.csv") }
      return file.chunks.reduce(0) { $0 + sum($1.samples) }
    }
  }

  private static func sum(_ batch: MotionBatch) -> Double {
    batch.channels.reduce(0) { $0 + batch[$1].reduce(0, +) }
  }

  private static func text(
    _ name: String, _ texts: [[UInt8]], _ ours: @escaping () throws -> Double
  ) throws -> Contest {
    let padded = texts.map { $0 + [UInt8](repeating: 0, count: 32) }
    let numbers = padded.map(DecimalPlace.all(in:))
    func digits() -> Double {
      zip(padded, numbers).reduce(0) { sum, text in
        text.0.withUnsafeBytes { bytes in text.1.reduce(sum) { $0 + $1.value(in: bytes) } }
      }
    }
    let expected = try ours()
    guard abs(digits() - expected) <= 1e-9 * abs(expected) else {
      throw UnequalResults(title: name, contestant: "digits", ours: expected, other: digits())
    }
    return Contest(
      title: "floor: \(name)", amount: Double(texts.reduce(0) { $0 + $1.count }) / 1e6,
      unit: "MB",
      contestants: [
        .init(name: "RepTrace", run: ours),
        .init(name: "the numbers alone, at known places, rounded once or twice", run: digits),
        .init(name: "every byte read once") {
          padded.reduce(0) { $0 + Double($1.withUnsafeBytes(sumOfWords) & 0xFFFF) }
        },
      ], tolerance: nil)
  }

  private static func frames() -> Contest {
    let frames = DecodingContests.binaryFrames()
    let bytes = frames.reduce(0) { $0 + $1.count }
    var copy = [UInt8](repeating: 0, count: frames.map(\.count).max() ?? 0)
    return Contest(
      title: "floor: binary frames, in the cache", amount: Double(bytes) / 1e6, unit: "MB",
      contestants: [
        .init(name: "RepTrace") { try DecodingContests.sumOfYaw(frames) },
        .init(name: "memcpy") {
          for frame in frames {
            copy.withUnsafeMutableBytes { target in
              frame.withUnsafeBytes { target.copyMemory(from: $0) }
            }
          }
          return Double(copy[0])
        },
        .init(name: "every byte read once") {
          frames.reduce(0) { $0 + Double($1.withUnsafeBytes(sumOfWords) & 0xFFFF) }
        },
      ], tolerance: nil)
  }

  // MARK: - Counting

  /// Measures the work of any counter that follows eight signals: reading and low-pass filtering the samples.
  private static func counting() throws -> Contest {
    let workouts = try BenchmarkRecordings.workouts().prefix(6).map { $0.inStandardUnits() }
    let samples = workouts.reduce(0) { $0 + $1.count }
    let channels: [MotionChannel] = [
      .rotationRateX, .rotationRateY, .rotationRateZ, .gravityX, .gravityY, .gravityZ,
      .userAccelerationX, .userAccelerationY,
    ]
    let signals = workouts.map { workout in
      let columns = channels.map { workout[$0] }
      return (0..<workout.count).map { row in
        SIMD8<Double>(columns.map { row < $0.count ? $0[row] : 0 })
      }
    }
    return Contest(
      title: "floor: counting live, \(workouts.count) workouts", amount: Double(samples),
      unit: "samples",
      contestants: [
        .init(name: "RepTrace") {
          var sets = 0
          for workout in workouts {
            var detector = RepDetector()
            let count = { (event: DetectionEvent) in
              if case .setEnded = event { sets += 1 }
            }
            for row in stride(from: 0, to: workout.count, by: 10) {
              detector.append(workout[row..<min(row + 10, workout.count)], onEvent: count)
            }
            detector.finish(onEvent: count)
          }
          return Double(sets)
        },
        .init(name: "a low-pass of second order over eight signals, sample by sample") {
          let coefficients = LowPassCoefficients(cornerHz: 1, rateHz: 50)
          var sum = 0.0
          for signal in signals {
            var low = LowPassFilter4(coefficients)
            var high = LowPassFilter4(coefficients)
            for values in signal {
              sum += (low(values.lowHalf) + high(values.highHalf)).sum()
            }
          }
          return sum
        },
      ], repetitions: 5, tolerance: nil)
  }

  // MARK: - Store

  /// Measures the floor of a durable insert: encoding alone, and appending the blobs to a file with fsync
  /// after each set.
  private static func insert() throws -> Contest {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reptrace-bench-floor")
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let sets = try BenchmarkRecordings.coreMotion()
    let encoder = TimelineEncoder(precision: .bounded())
    let blobs = try sets.map { try encoder.encode(Timeline(samples: $0)) }
    let path = folder.appendingPathComponent("blobs").path
    let store = try HistoryStore(
      path: folder.appendingPathComponent("history.sqlite").path, mode: .create)
    let number = Box(0)
    return Contest(
      title: "floor: insert of \(sets.count) sets, durable", amount: Double(sets.count),
      unit: "sets",
      contestants: [
        .init(name: "RepTrace, within 1e-4") {
          for set in sets {
            number.value += 1
            var columns: [MotionChannel: [Double]] = [:]
            for channel in set.channels { columns[channel] = set[channel] }
            // A different first value makes it a different recording.
            columns[.yaw]?[0] += Double(number.value) * 1e-3
            try store.save(
              Recording(name: "\(number.value)", samples: MotionBatch(columns)), sets: [],
              precision: .bounded())
          }
          return 0
        },
        .init(name: "encoding alone") {
          for set in sets { _ = try encoder.encode(Timeline(samples: set)) }
          return 0
        },
        .init(name: "the same bytes appended to a file, fsync after each set") {
          let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
          defer { close(file) }
          for blob in blobs {
            guard write(file, blob, blob.count) == blob.count, fsync(file) == 0 else {
              throw BlobContests.RoundTripFails()
            }
          }
          return 0
        },
      ], repetitions: 5, tolerance: nil, countsWaiting: true)
  }

  // MARK: - Timelines

  private static func blob() throws -> [Contest] {
    let sets = try BenchmarkRecordings.coreMotion()
    let encoder = TimelineEncoder(precision: .bounded())
    let decoder = TimelineDecoder()
    let timelines = sets.map { Timeline(samples: $0) }
    let blobs = try timelines.map { try encoder.encode($0) }
    let samples = sets.reduce(0) { $0 + $1.count }
    let megabytes = Double(samples * 13 * 8) / 1e6
    // As many integers and bits as the columns except gravity take.
    let bits = Double(8 * blobs.reduce(0) { $0 + $1.count }) / Double(10 * samples)
    let codes = RiceCodes(count: 10 * samples, meanBits: bits)
    let coded = codes.coded()
    guard codes.sum(of: coded) == codes.sum else { throw BlobContests.RoundTripFails() }
    let angles = sets.flatMap { zip($0[.roll], $0[.pitch]).flatMap { [$0, $1] } }
    var copies = [Double](repeating: 0, count: 13 * samples)
    let columns = sets.flatMap { set in set.channels.flatMap { set[$0] } }
    let parts: [Contest.Contestant] = [
      .init(name: "sine and cosine of roll and pitch, 8 at a time") { Trigonometry.sum(angles) },
      .init(name: "the same, each row waiting for the row above") { Trigonometry.chained(angles) },
      .init(name: "memcpy of the columns") {
        copies.withUnsafeMutableBytes { $0.copyBytes(from: columns.withUnsafeBytes { $0 }) }
        return copies[0]
      },
    ]
    return [
      Contest(
        title: "floor: timelines within 1e-4, decode", amount: megabytes, unit: "MB of Doubles",
        contestants: [
          .init(name: "RepTrace") {
            Double(try blobs.reduce(0) { $0 + (try decoder.decode($1).samples.count) })
          },
          .init(name: "ten Rice codes a sample, read one after the other") {
            Double(codes.sum(of: coded))
          },
        ] + parts, tolerance: nil),
      Contest(
        title: "floor: timelines within 1e-4, encode", amount: megabytes, unit: "MB of Doubles",
        contestants: [
          .init(name: "RepTrace") {
            Double(try timelines.reduce(0) { $0 + (try encoder.encode($1).count) })
          },
          .init(name: "ten Rice codes a sample, written one after the other") {
            Double(codes.coded().count)
          },
        ] + parts, tolerance: nil),
    ]
  }
}
