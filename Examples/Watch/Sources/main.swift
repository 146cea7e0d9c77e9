import RepDetection

/// Eight curls of three seconds between two rests: gravity swings by a right angle and back.
func curls() -> [MotionSample] {
  (0..<2000).map { index in
    let time = Double(index) / 50
    let isMoving = time > 8 && time < 32
    // A triangle wave from 0 to 1 and back, smoothed at its turns.
    let phase = isMoving ? (time - 8).truncatingRemainder(dividingBy: 3) / 3 : 0
    let ramp = phase < 0.5 ? 2 * phase : 2 - 2 * phase
    let bend = ramp * ramp * (3 - 2 * ramp)
    let gravity = SIMD3(-(1 - bend), -bend, 0)
    let length = (gravity * gravity).sum().squareRoot()
    return MotionSample(time: time, userAcceleration: .zero, gravity: gravity / length)
  }
}

let model = WorkoutModel()
for sample in curls() { model.take(sample) }
model.finish()
print("sample by sample: \(model.sets.map(\.reps.count))")

// The same in batches that arrive over time, as events to wait for.
let batches = AsyncStream<MotionBatch> { continuation in
  for sample in curls() { continuation.yield(MotionBatch(sample)) }
  continuation.finish()
}
var reps = 0
for try await event in DetectionEvents(batches) {
  if case .setEnded(_, let set) = event { reps = set.reps.count }
}
print("as events: \(reps)")
guard model.sets.map(\.reps.count) == [8], reps == 8 else { throw Miscount() }

struct Miscount: Error {}
