/// Unit vectors of gravity in the device's frame, computed from the attitude.
///
/// (cos pitch · sin roll, −sin pitch, −cos pitch · cos roll), as in Core Motion.
struct GravityDirection {
  /// The columns of x, y and z.
  private var axes: [[Double]]

  /// - Precondition: Three columns of the same length.
  init(_ axes: [[Double]]) { self.axes = axes }

  /// - Precondition: Both columns have the same length. Angles are in radians.
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

  /// Returns the column of an axis: 0, 1, 2 for x, y, z.
  subscript(axis: Int) -> [Double] { axes[axis] }

  /// Directions of a step, a row per lane.
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
