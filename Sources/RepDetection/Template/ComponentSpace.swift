/// The coordinates in which reps are compared (step 4).
///
/// Gravity, rotation and acceleration have different units. Each group is divided by a scale that
/// lies between its own amplitude in the stretch and a reference, so that a group that carries
/// much of the movement weighs more, but none alone decides. The principal components of the nine
/// weighted channels are the coordinates: exercise turns about few axes, so the first four, which
/// one vector register holds, carry nearly all of a rep, and the rest tells how clean it is.
struct ComponentSpace: Sendable {
  /// Groups of four components that are kept.
  let groups: Int
  private let mean: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  /// For each group of components the vector by which each of the nine channels is multiplied.
  private let projection: [SIMD4<Float>]

  init(_ statistics: StretchStatistics, groups: Int, configuration: DetectorConfiguration) {
    let scales = [
      Self.scale(
        statistics.deviation(ofGroup: 0), configuration.gravityFloorG,
        configuration.gravityReferenceG),
      Self.scale(
        statistics.deviation(ofGroup: 1), configuration.rotationFloorRadPerS,
        configuration.rotationReferenceRadPerS),
      Self.scale(
        statistics.deviation(ofGroup: 2), configuration.accelerationFloorG,
        configuration.accelerationReferenceG),
    ]
    var weighted = statistics.covariance
    for row in 0..<9 {
      for column in 0..<9 {
        weighted[row * 9 + column] *= scales[row / 3] * scales[column / 3]
      }
    }
    let axes = PrincipalAxes.of(weighted, order: 9).vectors
    var projection = [SIMD4<Float>](repeating: SIMD4(), count: 9 * groups)
    for k in 0..<groups {
      for channel in 0..<9 {
        for lane in 0..<4 where k * 4 + lane < 9 {
          projection[k * 9 + channel][lane] = Float(
            axes[k * 4 + lane][channel] * scales[channel / 3])
        }
      }
    }
    self.groups = groups
    self.projection = projection
    mean = statistics.mean
  }

  private static func scale(_ deviation: Double, _ floor: Double, _ reference: Double) -> Double {
    1 / (max(deviation, floor) * reference).squareRoot()
  }

  /// Frames × groups.
  func project(_ frames: ArraySlice<MotionFrame>) -> [SIMD4<Float>] {
    let groups = groups
    let mean = mean
    return [SIMD4<Float>](unsafeUninitializedCapacity: frames.count * groups) { output, count in
      projection.withUnsafeBufferPointer { p in
        frames.withUnsafeBufferPointer { frames in
          for i in 0..<frames.count {
            let f = frames[i]
            let g = f.gravity - mean.0
            let w = f.rotation - mean.1
            let a = f.userAcceleration - mean.2
            for k in 0..<groups {
              let b = k * 9
              var y = p[b] * g.x + p[b + 1] * g.y + p[b + 2] * g.z
              y += p[b + 3] * w.x + p[b + 4] * w.y + p[b + 5] * w.z
              y += p[b + 6] * a.x + p[b + 7] * a.y + p[b + 8] * a.z
              output.initializeElement(at: i * groups + k, to: y)
            }
          }
        }
      }
      count = frames.count * groups
    }
  }
}
