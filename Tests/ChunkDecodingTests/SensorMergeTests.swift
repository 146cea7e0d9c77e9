import Motion
import Testing

@testable import ChunkDecoding

@Suite struct SensorMergeTests {
  private func file(_ name: String, _ text: String) throws -> SensorMerge.File {
    let decoded = try RecordingDecoder.decode(Array(text.utf8), fileName: name)
    return SensorMerge.File(
      sensor: SensorFile.sensor(ofFileNamed: name), chunk: try #require(decoded.chunks.first))
  }

  @Test func metaMotionPair() throws {
    let stem = "bench_MetaWear_2019-01-11T16.10.08.270_C42732BE255C"
    let names = [
      "\(stem)_Accelerometer_12.500Hz_1.4.4.csv", "\(stem)_Gyroscope_25.000Hz_1.4.4.csv",
    ]
    let parsed = try names.map { try #require(SensorFileName(path: "a/b/" + $0)) }
    #expect(parsed.map(\.sensor) == [.accelerometer, .gyroscope])
    #expect(parsed[0].group == parsed[1].group)
    #expect(parsed[0].recordingName == "a/b/" + stem)
    let acceleration = try file(
      names[0],
      """
      epoch (ms),time (01:00),elapsed (s),x-axis (g),y-axis (g),z-axis (g)
      1547219408431,2019-01-11T16:10:08.431,0.000,0.010,0.964,-0.087
      1547219408511,2019-01-11T16:10:08.511,0.080,0.011,0.965,-0.088
      """)
    let rotation = try file(
      names[1],
      """
      epoch (ms),time (01:00),elapsed (s),x-axis (deg/s),y-axis (deg/s),z-axis (deg/s)
      1547219408351,2019-01-11T16:10:08.351,0.000,0.122,-5.488,-3.841
      1547219408391,2019-01-11T16:10:08.391,0.040,0.123,-5.489,-3.842
      1547219408431,2019-01-11T16:10:08.431,0.080,0.124,-5.490,-3.843
      """)
    for files in [[acceleration, rotation], [rotation, acceleration]] {
      let merged = try #require(SensorMerge.merge(files)).chunk
      let batch = merged.samples
      #expect(
        batch.times == [1_547_219_408_351, 1_547_219_408_391, 1_547_219_408_431, 1_547_219_408_511])
      #expect(batch.units.time == .milliseconds)
      #expect(batch.units.rotationRate == .degrees)
      #expect(batch.units.totalAcceleration == .g)
      #expect(batch.clock == .unix)
      #expect(batch[.rotationRateY][..<3] == [-5.488, -5.489, -5.490])
      #expect(batch[.rotationRateY][3].isNaN)
      #expect(batch[.totalAccelerationY][0].isNaN && batch[.totalAccelerationY][1].isNaN)
      #expect(batch[.totalAccelerationY][2...] == [0.964, 0.965])
      #expect(merged.unixTimeOfFirstSample == 1_547_219_408.351)
    }
  }

  @Test func sensorLoggerFolder() throws {
    let acceleration = try file(
      "Accelerometer.csv",
      "time,seconds_elapsed,z,y,x\n1700000000000000000,0.01,0.3,0.2,0.1\n"
        + "1700000000010000000,0.02,0.6,0.5,0.4\n")
    let gravity = try file(
      "Gravity.csv",
      "time,seconds_elapsed,z,y,x\n1700000000000000000,0.01,-9.8,0.1,0.2\n")
    let rotation = try file(
      "Gyroscope.csv", "time,seconds_elapsed,z,y,x\n1700000000005000000,0.015,3,2,1\n")
    let merged = try #require(SensorMerge.merge([rotation, gravity, acceleration])).chunk
    #expect(merged.samples.times == [0.01, 0.015, 0.02])
    #expect(merged.samples.units.userAcceleration == .metersPerSecondSquared)
    #expect(merged.samples[.userAccelerationX][0] == 0.1)
    #expect(merged.samples[.userAccelerationX][1].isNaN)
    #expect(merged.samples[.rotationRateX][1] == 1)
    #expect(merged.samples[.gravityZ][0] == -9.8)
    #expect(merged.unixTimeOfFirstSample == 1_700_000_000)

    let wrist = try file(
      "WristMotion.csv",
      """
      time,seconds_elapsed,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,\
      accelerationX,accelerationY,accelerationZ,quaternionW,quaternionX,quaternionY,quaternionZ
      1700000000000000000,0.5,1,2,3,0,0,-1,0.1,0.2,0.3,1,0,0,0
      """)
    let chosen = try #require(SensorMerge.merge([rotation, wrist, gravity]))
    #expect(chosen.chunk.samples.times == [0.5])
    #expect(chosen.chunk.samples[.userAccelerationZ] == [0.3])
    #expect(chosen.issues.count == 1)
  }

  @Test func sensorLog() throws {
    let decoded = try RecordingDecoder.decode(
      Array(
        """
        loggingTime(txt),loggingSample(N),locationSpeed(m/s),motionTimestamp_sinceReboot(s),motionYaw(rad),motionRoll(rad),motionPitch(rad),motionRotationRateX(rad/s),motionRotationRateY(rad/s),motionRotationRateZ(rad/s),motionUserAccelerationX(G),motionUserAccelerationY(G),motionUserAccelerationZ(G),motionQuaternionX(R),motionQuaternionY(R),motionQuaternionZ(R),motionQuaternionW(R),motionGravityX(G),motionGravityY(G),motionGravityZ(G),motionMagneticFieldX(µT),batteryLevel(R)
        2017-08-08T15:06:31.250+02:00,0,-1,361184.25,1.5,0.5,0.25,0.1,0.2,0.3,0.01,0.02,0.03,0.1,0.2,0.3,0.9,0.4,-0.2,-0.8,30.5,0.9
        """.utf8))
    let chunk = try #require(decoded.chunks.first)
    #expect(chunk.samples.times == [361184.25])
    #expect(chunk.samples.clock == .device)
    #expect(chunk.samples[.yaw] == [1.5] && chunk.samples[.roll] == [0.5])
    #expect(chunk.samples[.quaternionW] == [0.9] && chunk.samples[.quaternionX] == [0.1])
    #expect(chunk.samples[.magneticFieldX] == [30.5])
    #expect(chunk.unixTimeOfFirstSample == 1_502_197_591.25)
    #expect(chunk.samples.units == .standard)
  }
}
