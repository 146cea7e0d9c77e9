/// The direction of gravity in the device's frame that an attitude implies, of length 1.
///
/// (cos pitch · sin roll, −sin pitch, −cos pitch · cos roll), as Core Motion has it.
struct GravityDirection {
  /// The columns of x, y and z.
  private var axes: [[Double]]

  /// - Precondition: Three columns of the same length.
  init(_ axes: [[Double]]) { self.axes = axes }

  /// - Precondition: Both have the same length. Radians.
  init(roll: [Double], pitch: [Double]) {
    let lanes = LaneRows(count: roll.count)
    let (roll, pitch) = (lanes.gather(roll), lanes.gather(pitch))
    var prediction = AttitudePrediction()
    axes = lanes.columns(3) { columns in
      for step in roll.indices {
        prediction.append(roll: roll[step], pitch: pitch[step]).store(lanes, step, to: columns)
      }
    }
  }

  /// 0, 1, 2 for x, y, z.
  subscript(axis: Int) -> [Double] { axes[axis] }

  /// The directions of a step.
  struct Lanes {
    var x, y, z: AttitudePrediction.Lanes

    /// Stores the axes into three of the columns.
    @inline(__always)
    func store(
      _ lanes: LaneRows, _ step: Int, to columns: [UnsafeMutablePointer<Double>],
      from first: Int = 0
    ) {
      lanes.store(x, step, to: columns[first])
      lanes.store(y, step, to: columns[first + 1])
      lanes.store(z, step, to: columns[first + 2])
    }
  }
}
