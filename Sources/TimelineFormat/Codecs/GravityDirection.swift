/// The direction of gravity in the device's frame that an attitude implies, of length 1.
///
/// (cos pitch · sin roll, −sin pitch, −cos pitch · cos roll), as Core Motion has it.
struct GravityDirection {
  var x: [Double]
  var y: [Double]
  var z: [Double]

  /// Zeros, to be filled in.
  init(count: Int) {
    x = [Double](repeating: 0, count: count)
    y = x
    z = x
  }

  /// - Precondition: both have the same length. Radians.
  init(roll: [Double], pitch: [Double]) {
    let count = roll.count
    var y: [Double] = []
    var z: [Double] = []
    x = [Double](unsafeUninitializedCapacity: count) { x, xCount in
      y = [Double](unsafeUninitializedCapacity: count) { y, yCount in
        z = [Double](unsafeUninitializedCapacity: count) { z, zCount in
          for row in 0..<count {
            let (sine, cosine) = DeterministicTrigonometry.sineAndCosine(
              SIMD2(roll[row], pitch[row]))
            x[row] = cosine.y * sine.x
            y[row] = -sine.y
            z[row] = -(cosine.y * cosine.x)
          }
          zCount = count
        }
        yCount = count
      }
      xCount = count
    }
    self.y = y
    self.z = z
  }

  /// 0, 1, 2 for x, y, z.
  subscript(axis: Int) -> [Double] { axis == 0 ? x : axis == 1 ? y : z }
}
