import Motion

extension MovementTemplate {
  /// Frames as a shape: components without their mean, of unit length.
  static func shape(of frames: [MotionFrame], in space: ComponentSpace) -> [SIMD4<Float>] {
    let values = centred(space.project(frames[...]))
    let length = values.reduce(Float(0)) { $0 + ($1 * $1).sum() }.squareRoot()
    return length > 1e-9 ? values.map { $0 / length } : values
  }

  private static func centred(_ values: [SIMD4<Float>]) -> [SIMD4<Float>] {
    let groups = ComponentSpace.groups
    let count = values.count / groups
    guard count > 0 else { return values }
    return values.indices.map { i in
      let sum = (0..<count).reduce(SIMD4<Float>.zero) { $0 + values[$1 * groups + i % groups] }
      return values[i] - sum / Float(count)
    }
  }
}
