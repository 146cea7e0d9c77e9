// The declarations of HealthKit that the app uses, as in the SDK of watchOS 11, so that `.ci/typecheck` can
// check the app without that SDK. Every class of HealthKit is Sendable there.
import Foundation

open class HKObjectType: NSObject, @unchecked Sendable {
  public static func workoutType() -> HKWorkoutType { fatalError() }
}

open class HKSampleType: HKObjectType, @unchecked Sendable {}

public final class HKWorkoutType: HKSampleType, @unchecked Sendable {}

public struct HKQuantityTypeIdentifier: Sendable {
  public static let heartRate = Self()
  public static let activeEnergyBurned = Self()
}

public final class HKQuantityType: HKSampleType, @unchecked Sendable {
  public init(_ identifier: HKQuantityTypeIdentifier) {}
}

public final class HKHealthStore: NSObject, @unchecked Sendable {
  public func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {}
}

public enum HKWorkoutActivityType: UInt, Sendable {
  case traditionalStrengthTraining = 50
}

public enum HKWorkoutSessionLocationType: Int, Sendable {
  case unknown = 1
  case indoor, outdoor
}

public final class HKWorkoutConfiguration: NSObject, @unchecked Sendable {
  public var activityType = HKWorkoutActivityType.traditionalStrengthTraining
  public var locationType = HKWorkoutSessionLocationType.unknown
}

public enum HKWorkoutSessionState: Int, Sendable {
  case notStarted = 1
  case running, ended, paused, prepared, stopped
}

public protocol HKWorkoutSessionDelegate: NSObjectProtocol {
  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date)
  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error)
}

public final class HKWorkoutSession: NSObject, @unchecked Sendable {
  public weak var delegate: (any HKWorkoutSessionDelegate)?

  public init(
    healthStore: HKHealthStore, configuration workoutConfiguration: HKWorkoutConfiguration
  ) throws {}

  public func associatedWorkoutBuilder() -> HKLiveWorkoutBuilder { fatalError() }
  public func startActivity(with date: Date?) {}
  public func stopActivity(with date: Date?) {}
  public func end() {}
}

public final class HKWorkout: NSObject, @unchecked Sendable {}

open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
  public func beginCollection(at startDate: Date) async throws {}
  public func addMetadata(_ metadata: [String: Any]) async throws {}
  public func endCollection(at endDate: Date) async throws {}
  public func finishWorkout() async throws -> HKWorkout? { nil }
  public func discardWorkout() {}
}

public final class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
  public var dataSource: HKLiveWorkoutDataSource?
}

public final class HKLiveWorkoutDataSource: NSObject, @unchecked Sendable {
  public init(
    healthStore: HKHealthStore, workoutConfiguration configuration: HKWorkoutConfiguration?
  ) {}
}
