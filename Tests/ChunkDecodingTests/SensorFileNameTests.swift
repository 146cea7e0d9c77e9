import Testing

@testable import ChunkDecoding

@Suite struct SensorFileNameTests {
  @Test(arguments: [
    ("d/a.Accelerometer.csv", "d/a.Gyroscope.csv", "d/a"),
    ("d/a-accelerometer.csv", "d/a-GYROSCOPE.csv", "d/a"),
    ("d/a Accelerometers.csv", "d/a Gyroscopes.csv", "d/a"),
    ("d/a_acc.csv", "d/a_gyro.csv", "d/a"),
    ("d/Accelerometer-a.csv", "d/Gyroscope-a.csv", "d/a"),
    ("d/a (Total Acceleration).csv", "d/a (Gyroscope).csv", "d/a"),
    ("d/benchAccelerometer.csv", "d/benchGyroscope.csv", "d/bench"),
    ("d/Accelerometer2.csv", "d/Gyroscope2.csv", "d/2"),
    ("d/Accelerometer.csv", "d/Gyroscope.csv", "d"),
    ("d/Accelerometer/a.csv", "d/Gyroscope/a.csv", "d/a"),
    ("d/a_Accelerometer_100Hz.csv", "d/a_Gyroscope_50.5Hz.csv", "d/a"),
    ("Accelerometer.csv", "Gyroscope.csv", "."),
  ])
  func filesOfOneRecordingShareAGroup(_ first: String, _ second: String, _ name: String) throws {
    let (a, b) = (
      try #require(SensorFileName(path: first)), try #require(SensorFileName(path: second))
    )
    #expect(a.group == b.group)
    #expect(a.sensor != b.sensor)
    #expect(a.recordingName == name)
  }

  @Test(arguments: [
    ("d/a_Accelerometer.csv", "d/b_Gyroscope.csv"),
    ("d/a_1_Accelerometer_100Hz.csv", "d/a_2_Gyroscope_50Hz.csv"),
    ("d/Accelerometer_1.csv", "d/Gyroscope_2.csv"),
    ("d/Accelerometer.csv", "e/Gyroscope.csv"),
    ("d/Accelerometer/a.csv", "d/Gyroscope/b.csv"),
  ])
  func filesOfTwoRecordingsHaveDifferentGroups(_ first: String, _ second: String) throws {
    let (a, b) = (
      try #require(SensorFileName(path: first)), try #require(SensorFileName(path: second))
    )
    #expect(a.group != b.group)
  }

  @Test(arguments: [
    "curls.csv", "magnet.csv", "gyroscopic.csv", "d/AccelerometerUncalibrated.csv",
    "x/Location.csv",
    "", "/", "a/.csv",
  ])
  func otherNamesHaveNoSensor(_ path: String) {
    #expect(SensorFileName(path: path) == nil)
  }

  @Test func numbersInNamesDoNotSeparateSensors() throws {
    let a = try #require(SensorFileName(path: "d/Accelerometer_10-15-01.csv"))
    let b = try #require(SensorFileName(path: "d/Gyroscope_10-15-02.csv"))
    #expect(a.group != b.group)
    #expect(a.family == b.family)
  }
}
