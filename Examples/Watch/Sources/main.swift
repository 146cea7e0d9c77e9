import ChunkDecoding
import RepDetection
import Synchronization

// Runs the parts of the app that need no watch on a synthetic signal.

/// Returns eight curls of three seconds between two rests: gravity swings by a right angle and back.
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

let frames = Mutex<[[UInt8]]>([])
let recorder = MotionRecorder(sessionId: "W", bootTime: 1_750_000_000) { frame, _, _ in
  frames.withLock { $0.append(frame) }
}
for sample in curls() { recorder.append(sample) }
recorder.finish()
let model = WorkoutModel()
await model.follow(recorder)
print("sample by sample: \(model.sets.map(\.reps.count))")

// The samples arrive as they were sent.
let file = try RecordingDecoder.decode(frames.withLock { $0.flatMap(\.self) })
let received = file.chunks.map(\.samples.count).reduce(0, +)
print("in chunks: \(received) samples")

// Counts again from batches that arrive over time, awaiting events.
let batches = AsyncStream<MotionBatch> { continuation in
  for sample in curls() { continuation.yield(MotionBatch(sample)) }
  continuation.finish()
}
var reps = 0
for try await event in DetectionEvents(batches) {
  if case .setEnded(_, let set) = event { reps = set.reps.count }
}
print("as events: \(reps)")
guard model.sets.map(\.reps.count) == [8], reps == 8, received == curls().count else {
  throw Miscount()
}

struct Miscount: Error {}
