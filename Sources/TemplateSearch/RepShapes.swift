import SignalProcessing

/// The shapes of a list of reps, each resampled to the same number of phases.
///
/// A shape is the movement minus its mean per component, scaled to unit norm: the dot product of two shapes
/// is their correlation over all components.
package struct RepShapes {
  package private(set) var count = 0
  private let phaseCount: Int
  private let vectorsPerShape: Int
  /// The shapes, count × phases × groups. Unused elements may follow.
  package private(set) var values: [SIMD4<Float>] = []
  /// Mean square of each movement before normalization.
  package private(set) var energies: [Float] = []

  package init(of segments: [Segment], on grid: PhaseGrid, phases: Int) {
    self.init(phases: phases)
    measure(segments, on: grid)
  }

  package init(phases: Int) {
    phaseCount = phases
    vectorsPerShape = phases * ComponentSpace.groups
  }

  /// Replaces the shapes with those of other reps, reusing storage.
  package mutating func measure(_ segments: [Segment], on grid: PhaseGrid) {
    count = segments.count
    let needed = count * vectorsPerShape
    if values.count < needed { values.resize(to: needed, filler: SIMD4()) }
    energies.resize(to: count, filler: 0)
    guard grid.stepCount > 0 else {
      for i in values.indices { values[i] = SIMD4() }
      for i in energies.indices { energies[i] = 0 }
      return
    }
    energies.withUnsafeMutableBufferPointer { energies in
      grid.values.withUnsafeBufferPointer { x in
        values.withUnsafeMutableBufferPointer { values in
          guard
            let x = x.baseAddress, let values = values.baseAddress,
            let energies = energies.baseAddress
          else { return }
          let reader = ShapeReader(
            steps: x, last: grid.stepCount - 1, values: values, energies: energies)
          reader.read(segments, phases: phaseCount)
        }
      }
    }
  }

  /// Marks a shape as absent by setting its energy to zero.
  package mutating func dismiss(_ index: Int) {
    energies[index] = 0
  }

  /// Returns the leave-one-out similarity of each shape: the cosine with the sum of all others.
  @inline(never)
  package func similarities() -> [Float] {
    let n = vectorsPerShape
    var result = [Float](repeating: 0, count: count)
    guard count > 1 else { return result }
    values.withUnsafeBufferPointer { values in
      result.withUnsafeMutableBufferPointer { result in
        withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: n) { sum in
          for k in 0..<n { sum[k] = SIMD4() }
          for i in 0..<count { for k in 0..<n { sum[k] += values[i &* n &+ k] } }
          var square = SIMD4<Float>()
          for k in 0..<n { square += sum[k] * sum[k] }
          let total = square.sum()
          for i in 0..<count {
            var dot = SIMD4<Float>()
            var own = SIMD4<Float>()
            for k in 0..<n {
              let v = values[i &* n &+ k]
              dot += sum[k] * v
              own += v * v
            }
            // |Y − y|² = |Y|² − 2 Y·y + |y|²
            let rest = total - 2 * dot.sum() + own.sum()
            result[i] = rest > 1e-9 ? (dot.sum() - own.sum()) / rest.squareRoot() : 0
          }
        }
      }
    }
    return result
  }

  /// Returns the cosine of each shape with a template.
  package func similarities(with template: [SIMD4<Float>]) -> [Float] {
    let n = vectorsPerShape
    guard template.count == n else { return Array(repeating: 0, count: count) }
    return (0..<count).map { i in
      var dot = SIMD4<Float>()
      for k in 0..<n { dot += values[i * n + k] * template[k] }
      return dot.sum()
    }
  }

  /// Returns the similarity between the mean of the even shapes and that of the odd ones.
  package func similarityOfAlternates() -> Float {
    let n = vectorsPerShape
    var sums = [SIMD4<Float>](repeating: SIMD4(), count: 2 * n)
    for i in 0..<count {
      for k in 0..<n { sums[(i % 2) * n + k] += values[i * n + k] }
    }
    var dot: Float = 0
    var even: Float = 0
    var odd: Float = 0
    for k in 0..<n {
      dot += (sums[k] * sums[n + k]).sum()
      even += (sums[k] * sums[k]).sum()
      odd += (sums[n + k] * sums[n + k]).sum()
    }
    let length = (even * odd).squareRoot()
    return length > 0 ? dot / length : 0
  }

  /// Returns the mean shape, of unit norm, refined in two passes that give similar shapes more weight.
  @inline(never)
  package func template() -> [SIMD4<Float>] {
    let n = vectorsPerShape
    var template = [SIMD4<Float>](repeating: SIMD4(), count: n)
    values.withUnsafeBufferPointer { values in
      template.withUnsafeMutableBufferPointer { template in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { weights in
          guard let first = values.baseAddress else { return }
          weights.initialize(repeating: 1)
          for pass in 0..<3 {
            for k in 0..<n { template[k] = SIMD4() }
            for i in 0..<count where weights[i] > 0 {
              let shape = first + i &* n
              let weight = weights[i]
              for k in 0..<n { template[k] += shape[k] * weight }
            }
            var square = SIMD4<Float>()
            for k in 0..<n { square += template[k] * template[k] }
            let total = square.sum()
            let scale = total > 1e-12 ? 1 / total.squareRoot() : 0
            for k in 0..<n { template[k] *= scale }
            guard pass < 2 else { break }
            for i in 0..<count {
              let shape = first + i &* n
              var dot = SIMD4<Float>()
              for k in 0..<n { dot += template[k] * shape[k] }
              let fit = max(0, dot.sum())
              weights[i] = fit * fit
            }
          }
        }
      }
    }
    return template
  }
}
