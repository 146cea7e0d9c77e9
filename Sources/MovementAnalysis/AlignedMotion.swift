import Motion
import SignalProcessing

/// The motion around a set, with all sensors resampled to one uniform grid.
struct AlignedMotion {
  static let rateHz = 50.0
  /// Longest set that is analyzed, in seconds. A longer one indicates a broken clock.
  static let longestSpan = 4 * 3600.0
  /// Maximum number of grid points per sample: movement cannot be analyzed at a mean rate below 1 Hz.
  private static let pointsPerSample = 50

  /// Time of the first grid point, in seconds on the samples' clock.
  let start: Double
  let count: Int
  /// In rad/s.
  let rotationRate: [SIMD3<Double>]?
  /// In g, without gravity.
  let userAcceleration: [SIMD3<Double>]?
  /// In g, with gravity.
  let totalAcceleration: [SIMD3<Double>]?
  let gravity: [SIMD3<Double>]?
  /// The device's fused attitude.
  let attitude: [Quaternion]?
  /// Whether each grid point lies between samples too far apart to interpolate.
  let isGap: [Bool]

  /// Returns nil if the span has no samples with a usable sensor.
  ///
  /// - Parameter samples: Samples in standard units and in order of time.
  init?(_ samples: MotionBatch, span: ClosedRange<Double>, longestBridgedGap: Double) {
    let times = samples.times
    guard let first = times.first(where: { $0 >= span.lowerBound }),
      let last = times.last(where: { $0 <= span.upperBound }), last > first,
      last - first < Self.longestSpan
    else { return nil }
    start = first
    count = Int((last - first) * Self.rateHz) + 1
    // Include samples just outside the span, so that every grid point has neighbors.
    let rows = times.indices.filter {
      times[$0] >= first - longestBridgedGap && times[$0] <= last + longestBridgedGap
    }
    guard count <= Self.pointsPerSample * rows.count else { return nil }

    var gaps: [Bool]?
    var instants: [Double] = []
    func collect(_ quantity: MotionQuantity) -> [[Double]]? {
      guard samples.has(quantity) else { return nil }
      let columns = quantity.channels.map { samples[$0] }
      instants.removeAll(keepingCapacity: true)
      var values = [[Double]](repeating: [], count: columns.count)
      for row in rows {
        let time = times[row]
        guard time > (instants.last ?? -.infinity), columns.allSatisfy({ $0[row].isFinite })
        else { continue }
        instants.append(time)
        for (index, column) in columns.enumerated() { values[index].append(column[row]) }
      }
      return instants.count > 1 ? values : nil
    }
    let grid = (start: start, count: count)
    func vectors(_ quantity: MotionQuantity) -> [SIMD3<Double>]? {
      guard let columns = collect(quantity) else { return nil }
      let points = columns[0].indices.map { SIMD3(columns[0][$0], columns[1][$0], columns[2][$0]) }
      let track = EvenGrid(start: grid.start, count: grid.count, rateHz: Self.rateHz, of: instants)
      if gaps == nil { gaps = track.gaps(longerThan: longestBridgedGap) }
      return track.map { low, high, fraction in
        points[low] + (points[high] - points[low]) * fraction
      }
    }

    rotationRate = vectors(.rotationRate)
    userAcceleration = vectors(.userAcceleration)
    totalAcceleration = vectors(.totalAcceleration)
    gravity = vectors(.gravity)

    var poses: [Quaternion] = []
    if let columns = collect(.quaternion) {
      poses = columns[0].indices.map {
        Quaternion(w: columns[0][$0], x: columns[1][$0], y: columns[2][$0], z: columns[3][$0])
          .normalized ?? .identity
      }
    } else if let columns = collect(.attitude) {
      poses = columns[0].indices.map {
        Quaternion(roll: columns[0][$0], pitch: columns[1][$0], yaw: columns[2][$0])
      }
    }
    if poses.isEmpty {
      attitude = nil
    } else {
      let track = EvenGrid(start: grid.start, count: grid.count, rateHz: Self.rateHz, of: instants)
      if gaps == nil { gaps = track.gaps(longerThan: longestBridgedGap) }
      attitude = track.map { low, high, fraction in
        poses[low].interpolated(to: poses[high], by: fraction)
      }
    }
    guard let gaps else { return nil }
    isGap = gaps
  }

  /// Returns true if the motion is known from shortly before a rep until shortly after it. A rep cut by a gap
  /// or by an end of the recording is not whole.
  func isWhole(_ rep: ClosedRange<Int>) -> Bool {
    let moment = Int(0.1 * Self.rateHz)
    let (first, last) = (rep.lowerBound - moment, rep.upperBound + moment)
    return first >= 0 && last < count && !isGap[first...last].contains(true)
  }

  func time(_ index: Int) -> Double { start + Double(index) / Self.rateHz }

  /// Returns the grid point nearest to a time, clamped to the grid.
  func index(at time: Double) -> Int {
    Math.integer(((time - start) * Self.rateHz).rounded(), clampedTo: 0...(count - 1))
  }
}

/// Maps the points of a uniform grid to intervals between irregular instants.
private struct EvenGrid {
  private var neighbors: [(low: Int, high: Int, fraction: Double)] = []
  private let instants: [Double]
  private let isOutside: [Bool]

  init(start: Double, count: Int, rateHz: Double, of instants: [Double]) {
    self.instants = instants
    var outside: [Bool] = []
    neighbors.reserveCapacity(count)
    outside.reserveCapacity(count)
    var low = 0
    let last = instants.count - 1
    for index in 0..<count {
      let time = start + Double(index) / rateHz
      while low < last - 1, instants[low + 1] <= time { low += 1 }
      let high = min(low + 1, last)
      let width = instants[high] - instants[low]
      let fraction = width > 0 ? (time - instants[low]) / width : 0
      neighbors.append((low, high, min(max(fraction, 0), 1)))
      // The first and last readings are held for up to 0.2 s.
      outside.append(time < instants[0] - 0.2 || time > instants[last] + 0.2)
    }
    isOutside = outside
  }

  func gaps(longerThan limit: Double) -> [Bool] {
    neighbors.indices.map { index in
      let (low, high, fraction) = neighbors[index]
      return isOutside[index]
        || (fraction > 0 && fraction < 1 && instants[high] - instants[low] > limit)
    }
  }

  func map<T>(_ value: (Int, Int, Double) -> T) -> [T] {
    neighbors.map { value($0.low, $0.high, $0.fraction) }
  }
}

extension Quaternion {
  /// Returns the normalized linear interpolation, which is accurate enough between adjacent samples.
  func interpolated(to other: Quaternion, by fraction: Double) -> Quaternion {
    let same = w * other.w + vector.dot(other.vector) >= 0
    let weight = same ? fraction : -fraction
    let rest = 1 - fraction
    return Quaternion(
      w: w * rest + other.w * weight, x: x * rest + other.x * weight,
      y: y * rest + other.y * weight, z: z * rest + other.z * weight
    ).normalized ?? self
  }
}
