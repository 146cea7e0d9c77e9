#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A person who owns workouts and sets.
public struct HistoryUser: Sendable, Hashable {
  /// The row number.
  public typealias ID = RowID<HistoryUser>
  /// The permanent key. Lookups accept the log-in id as well.
  public typealias Key = RecordKey<HistoryUser>

  /// The row of the device's owner.
  package static let localId = ID(1)

  /// The row; nil until the person is saved.
  public var id: ID?
  public var uuid: Key
  public var name: String
  public var email: String?
  /// The person's id in the app's log-in.
  public var providerId: Key?
  public var birthDate: Date?
  public var gender: String?
  /// Height, in metres.
  public var height: Double?
  /// Body weight, in kilograms.
  public var bodyWeight: Double?
  public var locale: String?
  public var createdAt: Date?
  public var lastLoginDate: Date?
  public var subscription = SubscriptionType.free
  public var subscriptionStartDate: Date?
  public var subscriptionValidUntil: Date?

  public init(uuid: Key, name: String) {
    self.uuid = uuid
    self.name = name
  }

  /// Returns the limits of the person's subscription at a date. An expired one is free.
  public func limits(at date: Date) -> PlanLimits {
    guard subscription == .premium else { return .free }
    if let subscriptionValidUntil, subscriptionValidUntil < date { return .free }
    return .premium
  }
}

/// A subscription.
public enum SubscriptionType: Int, Sendable, Hashable, CaseIterable, Codable {
  case free, premium
}

/// Limits on a person's plans: a policy of the caller, not a property of the data.
public struct PlanLimits: Sendable, Hashable {
  /// Maximum number of plans; nil for no limit.
  public var plans: Int?
  public var exercisesPerPlan: Int?
  public var setsPerExercise: Int?

  public init(plans: Int? = nil, exercisesPerPlan: Int? = nil, setsPerExercise: Int? = nil) {
    self.plans = plans
    self.exercisesPerPlan = exercisesPerPlan
    self.setsPerExercise = setsPerExercise
  }

  public static let free = PlanLimits(plans: 4, exercisesPerPlan: 6, setsPerExercise: 3)
  public static let premium = PlanLimits()
  public static let none = PlanLimits()
}
