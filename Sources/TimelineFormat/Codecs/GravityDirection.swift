/// The direction of gravity in the device's frame that an attitude implies, of length 1.
///
/// (cos pitch · sin roll, −sin pitch, −cos pitch · cos roll), as Core Motion has it.
struct GravityDirection {
  /// The columns of x, y and z.
  private var axes: [[Double]]

  /// - Precondition: Three columns of the same length.
  init(_ axes: ArraySlice<[Double]>) { self.axes = Array(axes) }

  /// - Precondition: Both have the same length. Radians.
  init(roll: [Double], pitch: [Double]) {
    var prediction = AttitudePrediction()
    axes = LaneRows.columns(3, of: roll.count) { columns in
      for rows in LaneRows.all(of: roll.count) {
        prediction.append(roll: rows.load(roll), pitch: rows.load(pitch))
          .store(rows, to: columns)
      }
    }
  }

  /// 0, 1, 2 for x, y, z.
  subscript(axis: Int) -> [Double] { axes[axis] }

  /// A direction for each lane.
  struct Lanes {
    var x, y, z: AttitudePrediction.Lanes

    /// Stores the axes into three of the columns.
    @inline(__always)
    func store(_ rows: LaneRows, to columns: [UnsafeMutablePointer<Double>], from first: Int = 0) {
      rows.store(x, to: columns[first])
      rows.store(y, to: columns[first + 1])
      rows.store(z, to: columns[first + 2])
    }
  }
}
