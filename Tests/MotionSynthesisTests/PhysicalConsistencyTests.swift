import Motion
import SignalProcessing
import Testing

@testable import MotionSynthesis

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The signals agree with each other and with Core Motion's structure")
struct PhysicalConsistencyTests {
  static func recording(_ family: ExerciseFamily) throws -> SyntheticRecording {
    try RecordingSynthesizer(
      SynthesisOptions(seed: 11, exercise: family, sets: 1, reps: 6, rate: .constant(100))
    ).make()
  }

  @Test("Integrated rotation rate is the change of attitude", arguments: ExerciseFamily.allCases)
  func rotationIntegrates(family: ExerciseFamily) throws {
    let samples = try Self.recording(family).recording.samples
    let times = samples.times
    let attitudes = samples[.roll].indices.map { row in
      Quaternion.aboutZ(samples[.yaw][row]) * .aboutX(samples[.pitch][row])
        * .aboutY(samples[.roll][row])
    }
    // For every second, compare the trapezoidal integral of the rates with the logarithm of the change.
    var worst = 0.0
    for start in stride(from: 0, to: times.count - 100, by: 50) {
      var turned = Quaternion.identity
      for row in start..<(start + 100) {
        let half = 0.5 * (times[row + 1] - times[row])
        turned =
          turned
          * .small(
            half
              * (Vector3(
                samples[.rotationRateX][row], samples[.rotationRateY][row],
                samples[.rotationRateZ][row])
                + Vector3(
                  samples[.rotationRateX][row + 1], samples[.rotationRateY][row + 1],
                  samples[.rotationRateZ][row + 1])))
      }
      let change = attitudes[start].conjugate * attitudes[start + 100]
      worst = max(worst, (turned.conjugate * change).rotationVector.length)
    }
    // Tolerance for bias, noise and the attitude filter's slow error: about a degree per second.
    #expect(worst < 0.03)
  }

  @Test("Acceleration is the position's second derivative", arguments: ExerciseFamily.allCases)
  func accelerationIntegrates(family: ExerciseFamily) throws {
    let scene = try RecordingSynthesizer(
      SynthesisOptions(seed: 12, exercise: family, sets: 1, reps: 5)
    ).scene()
    // Integrate twice over half a second at 1 kHz and compare with the positions.
    var cursor = 0
    for start in stride(from: 1.0, to: scene.motion.track.end - 2, by: 1.7) {
      let dt = 0.001
      let first = scene.motion.pose(at: start, detail: .full, cursor: &cursor).position
      let ahead = scene.motion.pose(at: start + 1e-5, detail: .full, cursor: &cursor).position
      var velocity = 1e5 * (ahead - first)
      var position = first
      for index in 0..<500 {
        let middle = start + (Double(index) + 0.5) * dt
        let acceleration = scene.motion.kinematics(at: middle, detail: .full, cursor: &cursor)
          .acceleration
        position = position + dt * velocity + (0.5 * dt * dt) * acceleration
        velocity = velocity + dt * acceleration
      }
      let truth = scene.motion.pose(at: start + 0.5, detail: .full, cursor: &cursor).position
      #expect((position - truth).length < 1e-3)
    }
  }

  @Test("Acceleration is finite and without jumps", arguments: ExerciseFamily.allCases)
  func smoothness(family: ExerciseFamily) throws {
    let scene = try RecordingSynthesizer(
      SynthesisOptions(seed: 13, exercise: family, difficulty: .hard, sets: 1)
    ).scene()
    var cursor = 0
    for keyFrame in scene.motion.track.times.dropFirst().dropLast() {
      let before = scene.motion.kinematics(at: keyFrame - 0.001, detail: .planned, cursor: &cursor)
      let after = scene.motion.kinematics(at: keyFrame + 0.001, detail: .planned, cursor: &cursor)
      #expect((before.acceleration - after.acceleration).length < 1.5)
      #expect(before.acceleration.length < 100)
    }
  }

  @Test("Sign: Core Motion's user acceleration points against the acceleration")
  func sign() throws {
    // As measured in real curls and lateral raises, in which the wrist rotates about elbow or shoulder.
    let scene = try RecordingSynthesizer(
      SynthesisOptions(seed: 14, exercise: .lateralRaise, sets: 1, reps: 8, rate: .constant(50))
    ).scene()
    let samples = scene.record().recording.samples
    var cursor = 0
    var product = 0.0
    for (row, stamp) in samples.times.enumerated() {
      let kinematics = scene.motion.kinematics(
        at: stamp - scene.clockOrigin, detail: .full, cursor: &cursor)
      let inWatch = kinematics.pose.attitude.conjugate.rotate(kinematics.acceleration)
      let difference =
        Vector3(
          samples[.userAccelerationX][row], samples[.userAccelerationY][row],
          samples[.userAccelerationZ][row]) + (1 / 9.80665) * inWatch
      product = max(product, difference.length)
    }
    // The rest is noise, bias and the attitude's error.
    #expect(product < 0.08)
  }

  @Test("Values have Core Motion's structure", arguments: ExerciseFamily.allCases)
  func structure(family: ExerciseFamily) throws {
    let samples = try Self.recording(family).recording.samples
    var onLattice = 0
    for row in 0..<samples.count {
      let roll = samples[.roll][row]
      let pitch = samples[.pitch][row]
      let gravity = [cos(pitch) * sin(roll), -sin(pitch), -cos(pitch) * cos(roll)]
      for axis in 0..<3 {
        let g = samples[MotionQuantity.gravity.channels[axis]][row]
        let a = samples[MotionQuantity.userAcceleration.channels[axis]][row]
        let w = samples[MotionQuantity.rotationRate.channels[axis]][row]
        #expect(g == Double(Float(gravity[axis])))
        #expect(a == Double(Float(a)) && w == Double(Float(w)))
        let lattice = ((a + gravity[axis]) * 65_536).rounded() / 65_536
        if Double(Float(lattice - gravity[axis])) == a { onLattice += 1 }
      }
      let ticks = samples.times[row] * 24e6
      #expect(ticks.rounded() / 24e6 == samples.times[row])
    }
    #expect(Double(onLattice) >= 0.999 * Double(3 * samples.count))
  }

  @Test("A rep begins and ends at a tenth of its peak speed", arguments: ExerciseFamily.allCases)
  func boundaries(family: ExerciseFamily) throws {
    let scene = try RecordingSynthesizer(
      SynthesisOptions(seed: 15, exercise: family, sets: 1, reps: 6)
    ).scene()
    var cursor = 0
    for set in scene.trueSets() {
      for rep in set.reps {
        for (time, outward) in [(rep.start, -0.01), (rep.end, 0.01)] {
          let local = time - scene.clockOrigin
          let speed = scene.motion.angularVelocity(at: local, detail: .planned, cursor: &cursor)
            .length
          // If the speed does not fall to a tenth at the end of a rep, the end is the turnaround.
          #expect(speed <= 0.13 * rep.peakAngularSpeed)
          let beyond = scene.motion.angularVelocity(
            at: local + outward, detail: .planned, cursor: &cursor
          ).length
          let within = scene.motion.angularVelocity(
            at: local - outward, detail: .planned, cursor: &cursor
          ).length
          #expect(within > beyond - 0.02 * rep.peakAngularSpeed)
        }
      }
    }
  }
}
