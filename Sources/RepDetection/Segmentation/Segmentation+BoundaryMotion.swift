import MotionFrames
import SignalProcessing
import TemplateSearch

extension Segmentation {
  /// Returns the motion at the boundaries of reps, as a fraction of the wrist's mean motion. It is smallest
  /// at the phase where reps begin and end with the movement. O(frames).
  ///
  /// - Parameter speeds: Angular speed in each frame of the window, in any unit.
  func boundaryMotion(speeds: [Float]) -> Float {
    guard let first = segments.first, let last = segments.last, !speeds.isEmpty else {
      return 1
    }
    let rate = FrontEnd.frameRateHz
    func mean(_ from: Double, _ to: Double) -> Float {
      let a = Math.integer((from * rate).rounded(), clampedTo: 0...speeds.count)
      let b = Math.integer((to * rate).rounded(), clampedTo: 0...(speeds.count - 1))
      guard b >= a else { return 0 }
      let sum = speeds.withUnsafeBufferPointer { speeds in
        var sum: Float = 0
        for i in a...b { sum += speeds[i] }
        return sum
      }
      return sum / Float(b - a + 1)
    }
    let overall = mean(seconds(first.start), seconds(last.end))
    guard overall > 0 else { return 0 }
    let half = 0.06 * period
    let typical = median(0..<(2 * segments.count)) { i in
      let segment = segments[i / 2]
      let boundary = seconds(i % 2 == 0 ? segment.start : segment.end)
      return mean(boundary - half, boundary + half)
    }
    return typical / overall
  }

  /// Returns the median distance from each of `begins` (in seconds from the begin of the window) to the
  /// nearest begin of a rep, in periods: 0 to 0.5.
  func offset(from begins: [Double], period: Double) -> Double {
    guard !begins.isEmpty else { return 0 }
    return median(begins) { begin in
      let nearest = segments.lazy.map { (seconds($0.start) - begin).magnitude }.min() ?? .infinity
      return min(nearest / period, 0.5)
    }
  }
}
