import SignalProcessing

/// The similarity of the reps of a set.
///
/// 1. Low-pass every sensor channel at 5 Hz, once for all sets of the motion. Divide the channels of one
///    quantity by their common root mean square about the mean over the set.
/// 2. Resample every rep to 24 phases and subtract each channel's mean over the rep.
/// 3. The similarity of a rep is the cosine between it and the sum of the other reps, each scaled to length 1
///    (leave one out), and at least 0.
struct RepSimilarity {
  private static let phases = 24

  /// The low-passed channels of each measured quantity.
  private let quantities: [[SIMD3<Double>]]
  private let isGap: [Bool]

  init(_ motion: AlignedMotion) {
    let measured = [
      motion.gravity, motion.rotationRate, motion.userAcceleration ?? motion.totalAcceleration,
    ]
    quantities = measured.compactMap { $0 }.map {
      ZeroPhaseFilter.lowPass($0, cornerHz: 5, rateHz: AlignedMotion.rateHz)
    }
    isGap = motion.isGap
  }

  /// Returns a similarity per rep; nil for reps in a gap, and for all reps if fewer than two are usable.
  func leaveOneOut(_ reps: [ClosedRange<Int>]) -> [Double?] {
    let scaled = Scaled(quantities, reps: reps)
    let shapes = shapes(of: reps, scaled)
    let sum = Self.sum(shapes)
    guard shapes.count(where: { $0 != nil }) > 1 else { return reps.map { _ in nil } }
    return shapes.map { shape in
      guard let shape else { return nil }
      var product = 0.0
      var squares = 0.0
      for (own, total) in zip(shape, sum) {
        product += own * (total - own)
        squares += (total - own) * (total - own)
      }
      guard squares > 1e-12 else { return nil }
      return min(max(product / squares.squareRoot(), 0), 1)
    }
  }

  /// Returns a shape per rep; nil for reps that are too short or in a gap.
  private func shapes(of reps: [ClosedRange<Int>], _ scaled: Scaled) -> [[Double]?] {
    reps.map { $0.count > 4 && !isGap[$0].contains(true) ? scaled.shape($0) : nil }
  }

  /// Returns the sum of the known shapes; empty if there are none.
  private static func sum(_ shapes: [[Double]?]) -> [Double] {
    shapes.reduce(into: []) { sum, shape in
      guard let shape else { return }
      sum = sum.isEmpty ? shape : zip(sum, shape).map { $0 + $1 }
    }
  }

  /// Returns the mean rep of a set; nil if no rep can be used.
  func template(_ reps: [ClosedRange<Int>]) -> Template? {
    let scaled = Scaled(quantities, reps: reps)
    let sum = Self.sum(shapes(of: reps, scaled))
    let length = sum.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 1e-9 ? Template(scaled: scaled, mean: sum, length: length) : nil
  }

  /// The mean rep of a set, with which other movements are compared.
  struct Template {
    fileprivate let scaled: Scaled
    fileprivate let mean: [Double]
    fileprivate let length: Double

    /// Returns the similarity of rows to the template, 0 to 1.
    func similarity(of rows: ClosedRange<Int>) -> Double {
      guard rows.count > 4, let shape = scaled.shape(rows) else { return 0 }
      return min(max(zip(shape, mean).reduce(0) { $0 + $1.0 * $1.1 } / length, 0), 1)
    }
  }

  /// The quantities that change during a set's reps, with their scales.
  fileprivate struct Scaled {
    private var groups: [(values: [SIMD3<Double>], rms: Double)] = []

    init(_ quantities: [[SIMD3<Double>]], reps: [ClosedRange<Int>]) {
      let count = Double(max(reps.reduce(0) { $0 + $1.count }, 1))
      for values in quantities {
        var sum = SIMD3<Double>()
        for rep in reps { for row in rep { sum += values[row] } }
        let mean = sum / count
        var power = 0.0
        for rep in reps {
          for row in rep {
            let deviation = values[row] - mean
            power += deviation.dot(deviation)
          }
        }
        let rms = (power / count).squareRoot()
        if rms > 1e-6 { groups.append((values, rms)) }
      }
    }

    /// Returns the rep's course in all channels as a vector of length 1.
    func shape(_ rep: ClosedRange<Int>) -> [Double]? {
      var result: [Double] = []
      for (values, rms) in groups {
        var course: [SIMD3<Double>] = []
        for phase in 0..<phases {
          let place =
            Double(rep.lowerBound) + Double(rep.count - 1) * Double(phase) / Double(phases - 1)
          let low = min(Int(place), rep.upperBound)
          let high = min(low + 1, rep.upperBound)
          let (before, after) = (values[low] / rms, values[high] / rms)
          course.append(before + (after - before) * (place - Double(low)))
        }
        let mean = course.reduce(SIMD3<Double>()) { $0 + $1 } / Double(phases)
        for value in course {
          let deviation = value - mean
          result += [deviation.x, deviation.y, deviation.z]
        }
      }
      let length = result.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard length > 1e-9, length.isFinite else { return nil }
      return result.map { $0 / length }
    }
  }
}
