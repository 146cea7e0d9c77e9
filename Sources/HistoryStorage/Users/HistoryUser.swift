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
  /// Height, in meters.
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
}

package enum SubscriptionType: Int, Sendable, Hashable, CaseIterable, Codable { case free, premium }

extension RowID where Record == HistoryUser {
  /// The device's owner, for data without a named person.
  public static var local: Self { 1 }
}
