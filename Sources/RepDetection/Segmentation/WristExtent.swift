import SignalProcessing

/// How far the wrist goes in a movement, as ln of radians.
struct WristExtent: Sendable, Codable {
  /// All its turning.
  let turn: Float
  /// The widest angle that it tilts to from where the movement begins.
  let tilt: Float

  /// The tilt itself: its logarithm is taken of 0.03 rad more.
  var tiltRadians: Float { Float(Math.exp(Double(tilt))) - 0.03 }

  /// How much less another movement turns and tilts, by the lesser of both; 0 where it does not.
  func shortfall(of other: WristExtent) -> Float {
    max(0, min(turn - other.turn, tilt - other.tilt))
  }

  /// The medians over some movements.
  static func usual<Movements: RandomAccessCollection>(
    _ movements: Movements, _ extent: (Movements.Element) -> WristExtent
  ) -> WristExtent {
    WristExtent(
      turn: median(movements) { extent($0).turn }, tilt: median(movements) { extent($0).tilt })
  }
}

/// How the wrist turns and tilts from frame to frame: what ``WristExtent`` is measured on.
struct WristCourse {
  /// How far it has turned before each frame, rad.
  let turned: [Float]
  /// Gravity at each frame, of unit length.
  private let directions: [SIMD4<Float>]

  /// - Parameter frames: of a window.
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

  /// How far the wrist goes in a movement, in a window of at least one frame. O(frames of the movement).
  ///
  /// - Parameter movement: in frames. What lies beyond the window is left out.
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
