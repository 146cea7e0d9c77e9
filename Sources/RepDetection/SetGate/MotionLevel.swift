import MotionFrames
import SignalProcessing

/// Mean posture and motion over a span of signal.
struct MotionLevel: Sendable, Codable {
  /// Mean gravity, in g.
  private let gravity: SIMD4<Float>
  /// Root mean square of the acceleration without gravity, in g.
  private let accelerationG: Float

  init(_ frames: some Collection<MotionFrame>) {
    var gravity = SIMD4<Float>()
    var squares: Float = 0
    for frame in frames {
      gravity += frame.gravity
      var acceleration = frame.userAcceleration
      acceleration.w = 0
      squares += (acceleration * acceleration).sum()
    }
    let n = Float(max(frames.count, 1))
    self.gravity = gravity / n
    accelerationG = (squares / n).squareRoot()
  }

  /// Returns the angle between the mean postures, in radians.
  func angle(to other: MotionLevel) -> Float { Math.angle(gravity, other.gravity) }

  /// Returns ln of the ratio of the motion to that of another span. 0.01 g is added to both, for rest.
  func excess(over other: MotionLevel) -> Float {
    Math.log((accelerationG + 0.01) / (other.accelerationG + 0.01))
  }
}

/// The signal before and after a run of reps; nil for a side with less than a second of measured signal.
struct Surroundings: Sendable, Codable {
  var before: MotionLevel?
  var after: MotionLevel?
}

extension FrameStore {
  /// Returns the signal beside a run of reps: four periods on each side, and at least six seconds.
  func surroundings(of run: ClosedRange<Double>, period: Float) -> Surroundings {
    let reach = max(4 * Double(period), 6)
    return Surroundings(
      before: level(from: run.lowerBound - reach, to: run.lowerBound - 0.1),
      after: level(from: run.upperBound + 0.1, to: run.upperBound + reach))
  }

  private func level(from start: Double, to end: Double) -> MotionLevel? {
    guard let rows = rows(from: start, to: end) else { return nil }
    let side = self[rows]
    let measured = side.frames.indices.filter {
      !side.isMissing[$0] && !side.isBeyondSignal[$0]
    }
    guard Double(measured.count) >= FrontEnd.frameRateHz else { return nil }
    return MotionLevel(measured.map { side.frames[$0] })
  }
}
