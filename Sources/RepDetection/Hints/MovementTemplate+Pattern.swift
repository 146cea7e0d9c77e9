import Motion

extension MovementTemplate {
  /// The template of a pattern that a caller gives back. Nil where nothing moves in it.
  init?(_ pattern: MovementPattern, configuration: DetectorConfiguration) {
    func wide(_ v: SIMD3<Float>) -> SIMD4<Float> { SIMD4(v.x, v.y, v.z, 0) }
    let frames = pattern.phases.map {
      MotionFrame(
        gravity: wide($0.gravity), rotation: wide($0.rotation),
        userAcceleration: wide($0.userAcceleration))
    }
    let resolution = configuration.segmentationResolution
    let space = ComponentSpace(
      ChannelStatistics(frames[...]), groups: resolution.groups, configuration: configuration)
    let components = space.project(frames[...])
    let energy =
      Self.centred(components, groups: space.groups)
      .reduce(Float(0)) { $0 + ($1 * $1).sum() } / Float(frames.count)
    guard energy > 1e-9 else { return nil }
    let durationFrames = pattern.durationSeconds * FrontEnd.frameRateHz
    let framesPerStep = PhaseGrid.framesPerStep(
      forPeriod: durationFrames, stepsPerRep: resolution.stepsPerRep)
    let gravity = frames.reduce(SIMD4<Float>.zero) { $0 + $1.gravity }
    let length = (gravity * gravity).sum().squareRoot()
    self.init(
      space: space, framesPerStep: framesPerStep,
      shape: Self.shape(
        of: Self.resampled(frames, count: resolution.phases), in: space),
      typicalLength: durationFrames / Double(framesPerStep), typicalEnergy: energy,
      similarities: [], similarity: Float(pattern.similarity),
      posture: length > 0 ? gravity / length : gravity,
      period: pattern.durationSeconds,
      weight: Float(
        pattern.similarity * pattern.similarity * pattern.durationSeconds
          * Double(pattern.repCount)))
  }

  /// Frames as a shape: components without their mean, of unit length.
  static func shape(of frames: [MotionFrame], in space: ComponentSpace) -> [SIMD4<Float>] {
    let values = centred(space.project(frames[...]), groups: space.groups)
    let length = values.reduce(Float(0)) { $0 + ($1 * $1).sum() }.squareRoot()
    return length > 1e-9 ? values.map { $0 / length } : values
  }

  private static func centred(_ values: [SIMD4<Float>], groups: Int) -> [SIMD4<Float>] {
    let count = values.count / max(groups, 1)
    guard count > 0 else { return values }
    return values.indices.map { i in
      let sum = (0..<count).reduce(SIMD4<Float>.zero) { $0 + values[$1 * groups + i % groups] }
      return values[i] - sum / Float(count)
    }
  }

  private static func resampled(_ frames: [MotionFrame], count: Int) -> [MotionFrame] {
    guard count != frames.count, count > 1, let last = frames.indices.last else { return frames }
    return (0..<count).map { k in
      let position = Float(k) / Float(count - 1) * Float(last)
      let lower = min(Int(position), last)
      let upper = min(lower + 1, last)
      let part = position - Float(lower)
      let (a, b) = (frames[lower], frames[upper])
      return MotionFrame(
        gravity: a.gravity + (b.gravity - a.gravity) * part,
        rotation: a.rotation + (b.rotation - a.rotation) * part,
        userAcceleration: a.userAcceleration + (b.userAcceleration - a.userAcceleration) * part)
    }
  }
}
