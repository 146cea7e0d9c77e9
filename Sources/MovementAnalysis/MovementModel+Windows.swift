import Motion
import SignalProcessing

extension MovementModel {
  /// The signal around one rep: channel means over equal intervals.
  struct Window {
    /// Time at which the first interval begins, in seconds on the samples' clock.
    var start: Double
    var interval: Double
    /// Rotation rates in rad/s, then velocities in m/s.
    var channels: [[Double]]
    var count: Int { channels.first?.count ?? 0 }
  }

  /// The signals that the model explains, on the motion's grid, along principal axes. Axes with hardly any
  /// motion are omitted.
  struct Signals {
    private let motion: AlignedMotion
    private let rotation: [SIMD3<Double>]
    /// In m/s², in the outer frame, without gravity; nil without an accelerometer.
    private let acceleration: [SIMD3<Double>]?

    init?(_ motion: AlignedMotion, orientation: OrientationTrack) {
      guard let rotation = motion.rotationRate else { return nil }
      self.motion = motion
      self.rotation = rotation
      acceleration = orientation.outerAcceleration(motion).map { values in
        values.map { $0 * AccelerationUnit.standardGravity }
      }
    }

    /// Returns a window per span, all in the same axes; nil for a span that lies in a gap or is too short.
    ///
    /// - Parameters:
    ///   - spans: Seconds on the samples' clock.
    ///   - intervals: Maximum number of intervals in a window.
    func windows(_ spans: [ClosedRange<Double>], intervals: Int) -> Windows {
      let raw = spans.map { self.raw($0, intervals: intervals) }
      let turning = Self.axes(raw.map { $0?.rotation })
      let moving = Self.axes(raw.map { $0?.velocity })
      let windows = raw.map { raw in
        raw.map { raw in
          Window(
            start: raw.start, interval: raw.interval,
            channels: turning.map { axis in raw.rotation.map { $0.dot(axis) } }
              + moving.map { axis in raw.velocity.map { $0.dot(axis) } })
        }
      }
      return Windows(windows: windows, rotations: turning.count)
    }

    struct Windows {
      var windows: [Window?]
      /// Number of leading channels that are rotation rates; the others are velocities.
      var rotations: Int
    }

    private struct Raw {
      var start: Double
      var interval: Double
      var rotation: [SIMD3<Double>]
      /// Velocity relative to the window's begin, known up to a straight line in time; empty without an
      /// accelerometer.
      var velocity: [SIMD3<Double>]
    }

    private func raw(_ span: ClosedRange<Double>, intervals: Int) -> Raw? {
      let low = motion.index(at: span.lowerBound)
      let high = motion.index(at: span.upperBound)
      guard high - low > 12, !motion.isGap[low...high].contains(true) else { return nil }
      let stride = max(2, (high - low + intervals - 1) / intervals)
      let count = (high - low + 1) / stride
      guard count > 10 else { return nil }
      let step = 1 / AlignedMotion.rateHz
      var result = Raw(
        start: motion.time(low) - step / 2, interval: Double(stride) * step, rotation: [],
        velocity: [])
      var velocity = SIMD3<Double>()
      for first in Swift.stride(from: low, to: low + count * stride, by: stride) {
        var turn = SIMD3<Double>()
        var travel = SIMD3<Double>()
        for row in first..<(first + stride) {
          turn += rotation[row]
          guard let acceleration else { continue }
          // The velocity in the middle of the interval.
          travel += velocity + acceleration[row] * (step / 2)
          velocity += acceleration[row] * step
        }
        result.rotation.append(turn / Double(stride))
        if acceleration != nil { result.velocity.append(travel / Double(stride)) }
      }
      Self.detrend(&result.velocity)
      return result
    }

    /// Subtracts the best-fitting straight line, which removes the effect of a constant attitude error.
    private static func detrend(_ values: inout [SIMD3<Double>]) {
      guard values.count > 1 else { return }
      let middle = Double(values.count - 1) / 2
      var sum = SIMD3<Double>()
      var moment = SIMD3<Double>()
      var square = 0.0
      for (index, value) in values.enumerated() {
        let x = Double(index) - middle
        sum += value
        moment += value * x
        square += x * x
      }
      let mean = sum / Double(values.count)
      let slope = moment / square
      for index in values.indices {
        values[index] -= mean + slope * (Double(index) - middle)
      }
    }

    /// Least power along a principal direction, as a fraction of the largest.
    private static let minimumPowerFraction = 0.02

    private static func axes(_ windows: [[SIMD3<Double>]?]) -> [SIMD3<Double>] {
      let (powers, axes) = PrincipalAxes.of(windows.flatMap { $0 ?? [] })
      return zip(powers, axes).compactMap { $0 > minimumPowerFraction * powers[0] ? $1 : nil }
    }
  }
}
