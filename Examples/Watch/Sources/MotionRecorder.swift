import ChunkDecoding
import RepDetection
import Synchronization

/// Counts the samples of a workout, and divides them into chunks for the phone. Core Motion calls it on its
/// own queue.
final class MotionRecorder: Sendable {
  private struct State {
    var detector = RepDetector()
    var samples = MotionBatch()
    var chunkCount = 0
  }

  /// A minute at 50 Hz: few large transfers cost less energy than many small ones.
  static let samplesPerChunk = 3000

  /// The events of the detector, for one reader.
  let events: AsyncStream<DetectionEvent>
  private let continuation: AsyncStream<DetectionEvent>.Continuation
  private let state = Mutex(State())
  private let sessionId: String
  private let bootTime: Double
  private let send: @Sendable (_ frame: [UInt8], _ number: Int, _ isLast: Bool) -> Void

  /// - Parameters:
  ///   - bootTime: The date at which the sensor's clock was 0, in seconds since 1970.
  ///   - send: Receives each chunk as a binary frame, with its number from 0.
  init(
    sessionId: String, bootTime: Double,
    send: @escaping @Sendable (_ frame: [UInt8], _ number: Int, _ isLast: Bool) -> Void
  ) {
    self.sessionId = sessionId
    self.bootTime = bootTime
    self.send = send
    (events, continuation) = AsyncStream.makeStream()
  }

  func append(_ sample: MotionSample) {
    state.withLock { state in
      state.detector.append(sample) { continuation.yield($0) }
      state.samples.append(sample)
      if state.samples.count == Self.samplesPerChunk { sendChunk(of: &state, isLast: false) }
    }
  }

  /// Ends the workout: finalizes the open set, and sends the last chunk.
  func finish() {
    state.withLock { state in
      state.detector.finish { continuation.yield($0) }
      sendChunk(of: &state, isLast: true)
    }
    continuation.finish()
  }

  private func sendChunk(of state: inout State, isLast: Bool) {
    let number = state.chunkCount
    let chunk = DecodedChunk(
      identity: SetIdentity(sessionId: sessionId), chunkId: "\(sessionId)-\(number)",
      samples: state.samples,
      unixTimeOfFirstSample: state.samples.times.first.map { bootTime + $0 })
    if let frame = BinaryFrame.encode(chunk) { send(frame, number, isLast) }
    state.samples = MotionBatch()
    state.chunkCount += 1
  }
}
