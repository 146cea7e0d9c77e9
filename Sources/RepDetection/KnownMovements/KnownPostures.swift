import Motion
import SignalProcessing

/// At which end of their way the reps of known movements begin.
struct KnownPostures: Sendable {
  /// Gravity where a rep begins, and where it is farthest from there; of length 1.
  private struct Ends: Sendable {
    var begin: SIMD4<Float>
    var far: SIMD4<Float>
  }

  private let ends: [Ends]

  /// Movements that turn gravity by less do not tell, degrees.
  private static let leastTurnDegrees = 15.0

  init(_ patterns: [MovementPattern]) {
    let nearest = Float(Math.cosine(Self.leastTurnDegrees / Math.degreesPerRadian))
    ends = patterns.compactMap { pattern in
      let postures = pattern.phases.map { Self.unit($0.gravity) }
      guard let first = postures.first, let last = postures.last else { return nil }
      let begin = first + last
      let length = (begin * begin).sum().squareRoot()
      guard length > 0 else { return nil }
      let similarities = postures.map { ($0 * begin).sum() / length }
      guard let far = similarities.indices.min(by: { similarities[$0] < similarities[$1] }),
        similarities[far] < nearest
      else { return nil }
      return Ends(begin: begin / length, far: postures[far])
    }
  }

  private static func unit(_ gravity: SIMD3<Float>) -> SIMD4<Float> {
    let length = (gravity * gravity).sum().squareRoot()
    return length > 0 ? SIMD4(gravity / length, 0) : SIMD4()
  }

  /// Whether a rep of most of the movements does not begin in this posture but turns there.
  func turnAround(at gravity: SIMD4<Float>) -> Bool {
    let turning = ends.count { ($0.far * gravity).sum() > ($0.begin * gravity).sum() }
    return 2 * turning > ends.count
  }
}
