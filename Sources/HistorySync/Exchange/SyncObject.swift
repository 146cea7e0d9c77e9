import Foundation
import WorkoutHistory

/// An object as exchanged between copies: all its values, and the time of the last change of each field.
package struct SyncObject: Sendable, Hashable, Codable {
  package var entity: SyncEntity
  package var key: String
  /// The members' values; nil for a deleted object.
  package var values: [String: SyncValue]?
  /// Stamps of changed fields by name. The empty name has the stamp of creation, which applies to every field
  /// without its own stamp that is not NULL.
  package var stamps: [String: SyncStamp]
  /// The deletion by a person.
  package var deletion: SyncRegister
  /// The removal by a detector that no longer finds the object, or because nothing is left in it.
  package var removal: SyncRegister

  package init(
    entity: SyncEntity, key: String, values: [String: SyncValue]? = nil,
    stamps: [String: SyncStamp] = [:], deletion: SyncRegister = SyncRegister(),
    removal: SyncRegister = SyncRegister()
  ) {
    self.entity = entity
    self.key = key
    self.values = values
    self.stamps = stamps
    self.deletion = deletion
    self.removal = removal
  }

  package var latestStamp: SyncStamp {
    max(stamps.values.max() ?? .never, max(deletion.stamp, removal.stamp))
  }

  /// Returns the reason why the object's stamps are invalid, as a sentence; nil if they are valid.
  package func stampProblem(at time: Int64) -> String? {
    let registers = [deletion.stamp, removal.stamp].filter { $0 != .never }
    guard let stamp = (stamps.values + registers).filter({ !$0.isAcceptable(at: time) }).max()
    else { return nil }
    let seconds = stamp.milliseconds / 1000 - time / 1000
    return seconds > 0
      ? "\(entity) \(key) was changed \(seconds) s after the center's time"
      : "\(entity) \(key) has a stamp that is none"
  }

  /// Range of valid integers. Their sums do not overflow, and no history has more of anything.
  static let wholeNumbers: ClosedRange<Int64> = 0...1 << 40

  /// Returns the reason why a normalized object's values are invalid, as a sentence; nil if they are valid.
  func valueProblem() -> String? {
    if entity == .user, deletion.isSet || removal.isSet || values == nil {
      return "\(entity) \(key) has gone, which no center decides"
    }
    if entity == .workoutHistory, case .text(let status) = value("status"),
      WorkoutStatus(rawValue: status) == nil
    {
      return "\(entity) \(key) has the status \(status), which cannot be"
    }
    for member in SyncTable.of(entity).members {
      if case .integer(let number) = value(member.name), !Self.wholeNumbers.contains(number) {
        return "\(entity) \(key) has \(member.name) \(number), which cannot be"
      }
    }
    do { _ = try segments() } catch { return "\(error)" }
    return nil
  }

  /// Returns the stamp of a field: ``SyncStamp/never`` if it is NULL and was never cleared.
  func stamp(of field: SyncField) -> SyncStamp {
    if let own = stamps[field.name] { return own }
    return value(field.members[0].name) == .null ? .never : stamps[""] ?? .never
  }

  func value(_ member: String) -> SyncValue { values?[member] ?? .null }

  func document() throws -> MetadataObject {
    let json = Set(SyncTable.of(entity).members.filter { $0.kind == .json }.map(\.name))
    return try MetadataObject((values ?? [:]).map { ($0, $1) }, isJSON: json.contains)
  }

  /// The identity of an object among its owner's objects. Names are compared by bytes.
  package struct Name: Sendable, Hashable {
    package var entity: SyncEntity
    package var key: String

    package init(_ entity: SyncEntity, _ key: String) {
      self.entity = entity
      self.key = key
    }

    package static func == (a: Name, b: Name) -> Bool {
      a.entity == b.entity && a.key.utf8.elementsEqual(b.key.utf8)
    }
  }

  package var name: Name { Name(entity, key) }

  private func name(_ entity: SyncEntity, in member: String) -> Name? {
    if case .text(let key) = value(member) { Name(entity, key) } else { nil }
  }

  var parent: Name? {
    switch entity {
    case .historyExercise, .recording: name(.workoutHistory, in: "workout")
    case .historySet: name(.historyExercise, in: "exercise")
    default: nil
    }
  }

  /// Objects that must exist before this one or arrive with it: its parent and the objects that it refers to.
  package var references: [Name] {
    let named: [Name?] =
      switch entity {
      case .workoutPlan: [name(.split, in: "split")] + plannedExercises
      case .workoutHistory: [name(.workoutPlan, in: "plan")]
      case .historyExercise: [name(.exerciseTemplate, in: "template")]
      case .recording:
        ((try? segments()) ?? []).map { $0.set.map { Name(.historySet, $0.rawValue) } }
      default: []
      }
    return ([parent] + named).compactMap { $0 }
  }

  private var plannedExercises: [Name] {
    struct Item: Decodable {
      var exercise: String?
    }
    guard case .text(let items) = value("items") else { return [] }
    return ((try? JSONDecoder().decode([Item].self, from: Data(items.utf8))) ?? [])
      .compactMap { $0.exercise.map { Name(.exerciseTemplate, $0) } }
  }

  /// Merges two existing objects. The later value of each field wins; ties go to the other object.
  func fieldsJoined(with other: SyncObject) -> SyncObject {
    var joined = self
    let base = max(stamps[""] ?? .never, other.stamps[""] ?? .never)
    joined.stamps = base == .never ? [:] : ["": base]
    for field in SyncTable.of(entity).fields {
      let (mine, theirs) = (stamp(of: field), other.stamp(of: field))
      let winner = theirs < mine ? self : other
      for member in field.members { joined.values?[member.name] = winner.value(member.name) }
      let stamp = max(mine, theirs)
      let implied = winner.value(field.members[0].name) == .null ? .never : base
      if stamp != implied { joined.stamps[field.name] = stamp }
    }
    return joined
  }

  /// Returns a copy with exactly the entity's members, in the types of the columns.
  func normalized() -> SyncObject {
    guard let values else { return self }
    var copy = self
    copy.values = [:]
    for member in SyncTable.of(entity).members {
      let value = values[member.name] ?? .null
      copy.values?[member.name] =
        switch (member.kind, value) {
        case (.real, .integer(let number)): .real(Double(number))
        case (.integer, .real(let number)): Int64(exactly: number).map(SyncValue.integer) ?? .null
        case (.real, .real), (.integer, .integer), (.text, .text), (.json, .text): value
        default: .null
        }
    }
    return copy
  }
}

extension SyncValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let real = try? container.decode(Double.self) {
      self = .real(real)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .integer(let integer): try container.encode(integer)
    case .real(let real): try container.encode(real)
    case .text(let text): try container.encode(text)
    }
  }
}
