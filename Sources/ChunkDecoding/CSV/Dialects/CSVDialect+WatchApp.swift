extension CSVDialect {
  /// The names of the recording app, which its JSON uses too, and of this project's exports.
  static let watchApp = CSVDialect(
    times: [TimeColumn("timestamp"), TimeColumn("capturedat")],
    dates: ["capturedat", "timestamp"],
    quantities: [
      "acceleration": .userAcceleration, "useracceleration": .userAcceleration,
      "totalacceleration": .totalAcceleration, "rotation": .rotationRate,
      "rotationrate": .rotationRate, "gravity": .gravity, "": .attitude, "attitude": .attitude,
      "magneticfield": .magneticField, "quaternion": .quaternion,
    ])
}
