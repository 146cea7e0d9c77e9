#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A person whose history this is. Everything belongs to somebody.
public struct HistoryUser: Sendable, Hashable {
  /// The number of its row.
  public typealias ID = RowID<HistoryUser>
  /// The name for ever; where a person is asked for, what their log-in calls them does as well.
  public typealias Key = RecordKey<HistoryUser>

  /// The row of the person whose device it is.
  package static let localId = ID(1)

  /// The row; nil until it is saved.
  public var id: ID?
  public var uuid: Key
  public var name: String
  public var email: String?
  /// What the app's log-in calls the person.
  public var providerId: Key?
  public var birthDate: Date?
  public var gender: String?
  /// Metres.
  public var height: Double?
  /// Kilograms.
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

  /// The limits of the person's subscription at an instant: an expired one is free.
  public func limits(at date: Date) -> PlanLimits {
    guard subscription == .premium else { return .free }
    if let subscriptionValidUntil, subscriptionValidUntil < date { return .free }
    return .premium
  }
}

/// What a person pays for.
public enum SubscriptionType: Int, Sendable, Hashable, CaseIterable, Codable {
  case free, premium
}

/// How much a person may plan: a policy of the caller's, no property of the data.
public struct PlanLimits: Sendable, Hashable {
  /// Nil: as many as one likes.
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
