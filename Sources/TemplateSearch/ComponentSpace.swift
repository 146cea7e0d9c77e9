import MotionFrames
import SignalProcessing

/// The coordinates in which reps are compared.
///
/// Gravity, rotation, and acceleration with the vertical velocity have different units. Each group is divided
/// by a scale between its own amplitude in the window and a reference, so that a group that carries much of
/// the movement weighs more but does not dominate. The coordinates are the principal components of the ten
/// weighted channels. Exercises turn about few axes, so the first four components, which fit one vector
/// register, carry nearly all of a rep; the others show how clean it is.
package struct ComponentSpace: Sendable, Codable {
  /// Number of groups of four components.
  package static let groups = 2
  private let mean: MotionFrame
  /// For each group of components, the weight vector of each of the ten channels.
  private let projection: [SIMD4<Float>]

  package init(_ statistics: ChannelStatistics, _ typical: TypicalAmplitudes) {
    let references = [
      typical.gravityG, typical.rotationRadPerS, typical.accelerationG,
    ]
    let scales = references.enumerated().map { group, reference in
      let amplitude = max(
        statistics.deviation(ofGroup: group), Double(typical.leastFraction) * reference)
      return 1 / (amplitude * reference).squareRoot()
    }
    let channels = ChannelStatistics.channelCount
    func scale(_ channel: Int) -> Double { scales[ChannelStatistics.group(of: channel)] }
    var weighted = statistics.covariance
    for row in 0..<channels {
      for column in 0..<channels {
        weighted[row * channels + column] *= scale(row) * scale(column)
      }
    }
    let axes = PrincipalAxes.of(weighted, order: channels).vectors
    var projection = [SIMD4<Float>](repeating: SIMD4(), count: channels * Self.groups)
    for k in 0..<Self.groups {
      for channel in 0..<channels {
        for lane in 0..<4 {
          projection[k * channels + channel][lane] = Float(
            axes[k * 4 + lane][channel] * scale(channel))
        }
      }
    }
    self.projection = projection
    mean = statistics.mean
  }

  /// Returns the components of frames, frames × groups.
  package func project(_ frames: ArraySlice<MotionFrame>) -> [SIMD4<Float>] {
    let groups = Self.groups
    let mean = mean
    return [SIMD4<Float>](unsafeUninitializedCapacity: frames.count * groups) { output, count in
      projection.withUnsafeBufferPointer { p in
        frames.withUnsafeBufferPointer { frames in
          guard let p = p.baseAddress else { return }
          for i in 0..<frames.count {
            let centered = Centered(frames[i], mean)
            for k in 0..<groups {
              output.initializeElement(
                at: i * groups + k,
                to: centered.projected(by: p + ChannelStatistics.channelCount * k))
            }
          }
        }
      }
      count = frames.count * groups
    }
  }

  /// Returns the leading four components of a frame.
  package func leading(_ frame: MotionFrame) -> SIMD4<Float> {
    projection.withUnsafeBufferPointer { p in
      p.baseAddress.map { Centered(frame, mean).projected(by: $0) } ?? SIMD4()
    }
  }

  /// A frame minus the mean.
  private struct Centered {
    let g: SIMD4<Float>
    let w: SIMD4<Float>
    let a: SIMD4<Float>

    @inline(__always)
    init(_ frame: MotionFrame, _ mean: MotionFrame) {
      g = frame.gravity - mean.gravity
      w = frame.rotation - mean.rotation
      a = frame.userAcceleration - mean.userAcceleration
    }

    @inline(__always)
    func projected(by p: UnsafePointer<SIMD4<Float>>) -> SIMD4<Float> {
      var y = p[0] * g.x + p[1] * g.y + p[2] * g.z
      y += p[3] * w.x + p[4] * w.y + p[5] * w.z
      y += p[6] * a.x + p[7] * a.y + p[8] * a.z + p[9] * a.w
      return y
    }
  }
}
