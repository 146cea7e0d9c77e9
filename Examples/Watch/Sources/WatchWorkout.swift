#if os(watchOS) || APPLE_INTERFACES
  import CoreMotion
  import Foundation
  import HealthKit
  import RepDetection
  import WatchConnectivity

  /// A workout on the watch. Its session keeps the app running with the screen off.
  @MainActor
  final class WatchWorkout: NSObject {
    let model = WorkoutModel()
    private let healthStore = HKHealthStore()
    private let motion = CMMotionManager()
    private let queue = OperationQueue()
    private var session: HKWorkoutSession?
    private var builder: HKLiveWorkoutBuilder?
    private var recorder: MotionRecorder?

    /// Starts the session, the sensors and the count.
    func start() async throws {
      try await healthStore.requestAuthorization(
        toShare: [HKObjectType.workoutType()],
        read: [HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned)])
      let configuration = HKWorkoutConfiguration()
      configuration.activityType = .traditionalStrengthTraining
      configuration.locationType = .indoor
      let session = try HKWorkoutSession(healthStore: healthStore, configuration: configuration)
      let builder = session.associatedWorkoutBuilder()
      builder.dataSource = HKLiveWorkoutDataSource(
        healthStore: healthStore, workoutConfiguration: configuration)
      session.delegate = self
      (self.session, self.builder) = (session, builder)
      let date = Date()
      session.startActivity(with: date)
      try await builder.beginCollection(at: date)
      startMotion()
    }

    private func startMotion() {
      let id = UUID().uuidString
      let bootTime = Date().timeIntervalSince1970 - ProcessInfo.processInfo.systemUptime
      let recorder = MotionRecorder(sessionId: id, bootTime: bootTime) { frame, number, isLast in
        ChunkSender.send(frame, session: id, number: number, isLast: isLast)
      }
      self.recorder = recorder
      Task { await model.follow(recorder) { [weak self] in self?.setRate(of: $0) } }
      queue.maxConcurrentOperationCount = 1
      setRate(of: .rest)
      // @Sendable: the handler runs on the queue and not on the main actor.
      motion.startDeviceMotionUpdates(to: queue) { @Sendable sample, _ in
        if let sample { recorder.append(MotionSample(sample)) }
      }
    }

    /// Sets the sampling rate: 20 Hz are enough to find the begin of a set; 50 Hz resolve its reps better.
    private func setRate(of phase: WorkoutPhase) {
      motion.deviceMotionUpdateInterval = phase == .execution ? 1 / 50 : 1 / 20
    }

    /// Stops the sensors at once. The session ends when the delegate is informed that it has stopped.
    func stop() {
      motion.stopDeviceMotionUpdates()
      let recorder = recorder
      // After the samples that are still queued.
      queue.addOperation { recorder?.finish() }
      session?.stopActivity(with: Date())
    }

    private func save(endedAt date: Date) async {
      guard let builder, let session else { return }
      do {
        try await builder.addMetadata(["sets": model.sets.count])
        try await builder.endCollection(at: date)
        _ = try await builder.finishWorkout()
      } catch {
        builder.discardWorkout()
      }
      session.end()
    }
  }

  extension WatchWorkout: HKWorkoutSessionDelegate {
    nonisolated func workoutSession(
      _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
      from fromState: HKWorkoutSessionState, date: Date
    ) {
      guard toState == .stopped else { return }
      Task { await save(endedAt: date) }
    }

    /// Ends the workout but keeps its counts, for example when another workout starts.
    nonisolated func workoutSession(
      _ workoutSession: HKWorkoutSession, didFailWithError error: any Error
    ) {
      Task { await stop() }
    }
  }

  /// Sends chunk files to the phone; the system delivers them when it can.
  enum ChunkSender {
    static let folder = FileManager.default
      .urls(for: .documentDirectory, in: .userDomainMask)[0].appending(path: "chunks")

    static func send(_ frame: [UInt8], session: String, number: Int, isLast: Bool) {
      let file = folder.appending(path: "\(session)-\(number).frames")
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(frame).write(to: file, options: .atomic)
      } catch {
        return  // The disk is full: keep counting without storing samples.
      }
      WCSession.default.transferFile(file, metadata: metadata(session, number, isLast))
    }

    private static func metadata(
      _ session: String, _ number: Int, _ isLast: Bool
    ) -> [String: Any] {
      isLast
        ? ["session": session, "number": number, "count": number + 1]
        : ["session": session, "number": number]
    }
  }

  /// Activated once when the app starts.
  final class WatchDelegate: NSObject, WCSessionDelegate {
    func session(
      _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
      error: (any Error)?
    ) {}

    /// Removes a file that the phone has received. A failed transfer stays in the folder and is sent again.
    func session(
      _ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?
    ) {
      let file = fileTransfer.file
      if error == nil {
        try? FileManager.default.removeItem(at: file.fileURL)
      } else {
        session.transferFile(file.fileURL, metadata: file.metadata)
      }
    }
  }
#endif
