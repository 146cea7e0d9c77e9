import MotionFrames
import SignalProcessing
import TemplateSearch

/// The extent of a movement of the wrist, as ln of radians.
struct WristExtent: Sendable, PlainValue {
  /// ln of the total turn.
  let turn: Float
  /// ln of the largest tilt from the posture at the begin.
  let tilt: Float

  /// The tilt itself, in radians. The logarithm includes an offset of 0.03 rad.
  var tiltRadians: Float { Float(Math.exp(Double(tilt))) - 0.03 }

  /// Returns the shortfall of another movement relative to this one, the smaller of those in turn and tilt; 0
  /// if it is not smaller.
  func shortfall(of other: WristExtent) -> Float {
    max(0, min(turn - other.turn, tilt - other.tilt))
  }

  /// Returns the median extent of some movements.
  static func typical<Movements: RandomAccessCollection>(
    _ movements: Movements, _ extent: (Movements.Element) -> WristExtent
  ) -> WristExtent {
    WristExtent(
      turn: median(movements) { extent($0).turn }, tilt: median(movements) { extent($0).tilt })
  }
}

/// The wrist's turn and tilt from frame to frame, from which ``WristExtent`` is computed.
struct WristCourse {
  /// Cumulative turn before each frame, in radians.
  let turned: [Float]
  /// Direction of gravity at each frame, unit length.
  private let directions: [SIMD4<Float>]

  /// - Parameter frames: The frames of a window.
  init(_ frames: some Collection<MotionFrame>) {
    var turned: [Float] = [0]
    turned.reserveCapacity(frames.count + 1)
    var total: Float = 0
    for frame in frames {
      total += frame.squaredAngularSpeed.squareRoot() / Float(FrontEnd.frameRateHz)
      turned.append(total)
    }
    self.turned = turned
    directions = frames.map {
      $0.gravity / (($0.gravity * $0.gravity).sum().squareRoot() + 1e-9)
    }
  }

  /// Returns the extent of a movement in a window of at least one frame. O(frames of the movement).
  ///
  /// - Parameter movement: The movement, in frames. Parts beyond the window are ignored.
  func extent(of movement: Segment) -> WristExtent {
    let last = directions.count - 1
    let first = Math.integer(movement.start.rounded(), clampedTo: 0...last)
    let end = Math.integer(movement.end.rounded(), clampedTo: first...last)
    var least: Float = 1
    for i in first..<end { least = min(least, (directions[first] * directions[i]).sum()) }
    return WristExtent(
      turn: Math.log(turned[end] - turned[first] + 0.02),
      tilt: Math.log(Math.arccosine(max(least, -1)) + 0.03))
  }
}
