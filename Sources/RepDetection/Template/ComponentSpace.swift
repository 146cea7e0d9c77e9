/// The coordinates in which reps are compared (step 4).
///
/// Gravity, rotation and acceleration have different units. Each group is divided by a scale that
/// lies between its own amplitude in the stretch and a reference, so that a group that carries
/// much of the movement weighs more, but none alone decides.
struct ComponentSpace {
  /// Four lanes hold one group of components.
  static let groups = 3

  /// Frames × groups, weighted.
  let components: [SIMD4<Float>]
  let frameCount: Int

  init(_ frames: [MotionFrame], configuration: DetectorConfiguration) {
    let n = Float(max(frames.count, 1))
    var sum = (SIMD4<Float>(), SIMD4<Float>(), SIMD4<Float>())
    for f in frames {
      sum.0 += f.gravity
      sum.1 += f.rotation
      sum.2 += f.userAcceleration
    }
    let mean = (sum.0 / n, sum.1 / n, sum.2 / n)
    var square = SIMD4<Float>()
    for f in frames {
      let g = f.gravity - mean.0
      let w = f.rotation - mean.1
      let a = f.userAcceleration - mean.2
      square += SIMD4((g * g).sum(), (w * w).sum(), (a * a).sum(), 0)
    }
    let rms = (square / n).squareRoot()
    func scale(_ rms: Float, _ floor: Double, _ reference: Double) -> Float {
      1 / (max(rms, Float(floor)) * Float(reference)).squareRoot()
    }
    let g = scale(rms.x, configuration.gravityFloorG, configuration.gravityReferenceG)
    let w = scale(
      rms.y, configuration.rotationFloorRadPerS, configuration.rotationReferenceRadPerS)
    let a = scale(
      rms.z, configuration.accelerationFloorG, configuration.accelerationReferenceG)
    var components: [SIMD4<Float>] = []
    components.reserveCapacity(frames.count * Self.groups)
    for f in frames {
      components.append((f.gravity - mean.0) * g)
      components.append((f.rotation - mean.1) * w)
      components.append((f.userAcceleration - mean.2) * a)
    }
    self.components = components
    frameCount = frames.count
  }
}
