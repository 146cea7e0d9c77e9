#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A person who owns workouts and sets.
public struct HistoryUser: Sendable, Hashable, Codable {
  public typealias ID = RowID<HistoryUser>
  /// The permanent key. Lookups accept the log-in id as well.
  public typealias Key = RecordKey<HistoryUser>

  package var id: ID?
  package var uuid: Key
  package var name: String
  package var email: String?
  /// The person's id in the app's log-in.
  package var providerId: Key?
  package var birthDate: Date?
  package var gender: String?
  /// Height, in metres.
  package var height: Double?
  /// Body weight, in kilograms.
  package var weight: Double?
  package var locale: String?
  package var createdAt: Date?
  package var lastLoginDate: Date?
  package var subscriptionType = SubscriptionType.free
  package var subscriptionStartDate: Date?
  package var subscriptionValidUntil: Date?

  package init(uuid: Key, name: String) {
    self.uuid = uuid
    self.name = name
  }

  /// Returns the limits of the person's subscription at a date. An expired one is free.
  package func limits(at date: Date) -> PlanLimits {
    guard subscriptionType == .premium else { return .free }
    if let subscriptionValidUntil, subscriptionValidUntil < date { return .free }
    return .premium
  }
}

package enum SubscriptionType: Int, Sendable, Hashable, CaseIterable, Codable { case free, premium }

extension RowID where Record == HistoryUser {
  /// The device's owner, for data without a named person.
  public static var local: Self { 1 }
}

/// Limits on a person's plans: a policy of the caller, not a property of the data.
public struct PlanLimits: Sendable, Hashable {
  /// Maximum number of plans; nil for no limit.
  package var plans: Int?
  package var exercisesPerPlan: Int?
  package var setsPerExercise: Int?

  public init(plans: Int? = nil, exercisesPerPlan: Int? = nil, setsPerExercise: Int? = nil) {
    self.plans = plans
    self.exercisesPerPlan = exercisesPerPlan
    self.setsPerExercise = setsPerExercise
  }

  package static let free = PlanLimits(plans: 4, exercisesPerPlan: 6, setsPerExercise: 3)
  package static let premium = PlanLimits()
  public static let none = PlanLimits()
}
