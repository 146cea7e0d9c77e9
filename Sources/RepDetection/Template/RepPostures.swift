import SignalProcessing

/// Where the forearm is in the course of each rep of a segmentation (step 8): the direction of gravity at
/// eleven instants from begin to end.
///
/// Shapes are compared without their mean and at unit length, so they tell the course of a movement, but
/// hardly where it leads. Reps of one set lead to the same place; putting the weight away leads elsewhere.
struct RepPostures {
  private static let instants = 11
  /// Count × instants, unit length.
  private let directions: [SIMD4<Float>]

  /// - Parameter frames: the window that was segmented.
  init(of segmentation: Segmentation, in frames: ArraySlice<MotionFrame>) {
    directions = segmentation.segments.flatMap { segment in
      (0..<Self.instants).map { instant in
        guard !frames.isEmpty else { return .zero }
        let step = segment.start + segment.length * Double(instant) / Double(Self.instants - 1)
        let frame = Math.integer(
          (segmentation.seconds(step) * FrontEnd.frameRateHz).rounded(),
          clampedTo: 0...(frames.count - 1))
        return Self.direction(frames[frames.startIndex + frame].gravity)
      }
    }
  }

  /// How near a rep comes to the turnaround of the others, about when they are there: the cosine of the
  /// least angle. The turnaround is where they usually are farthest from where they begin.
  func turnaroundCosine(of index: Int, among indices: [Int]) -> Float {
    let others = indices.filter { $0 != index }
    let course = (0..<Self.instants).map { instant in
      let there = others.map { directions[$0 * Self.instants + instant] }
      return Self.direction(
        SIMD4(median(there.map(\.x)), median(there.map(\.y)), median(there.map(\.z)), 0))
    }
    let inner = 2...(Self.instants - 3)
    let farthest = inner.min {
      (course[$0] * course[0]).sum() < (course[$1] * course[0]).sum()
    }
    guard let farthest else { return 1 }
    return ((farthest - 2)...(farthest + 2)).reduce(-1) { nearest, instant in
      max(nearest, (directions[index * Self.instants + instant] * course[farthest]).sum())
    }
  }

  private static func direction(_ v: SIMD4<Float>) -> SIMD4<Float> {
    let length = (v * v).sum().squareRoot()
    return length > 0 ? v / length : v
  }
}
