import Foundation

/// An object as copies of a history exchange it with their centre: the whole of it, and when each
/// field was changed.
public struct SyncObject: Sendable, Hashable, Codable {
  public var entity: SyncEntity
  /// What it is known by among its owner's objects, of whatever kind ``entity`` says.
  public var key: String
  /// Its members; nil where it has gone.
  public var values: [String: SyncValue]?
  /// When fields were changed; under an empty name, when the object was made: that holds for every
  /// field that has no stamp of its own and is not NULL.
  public var stamps: [String: SyncStamp]
  /// Whether a person has deleted it.
  public var deletion: SyncRegister
  /// Whether a machine has removed it: no longer found, or nothing left in it.
  public var removal: SyncRegister

  public init(
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

  /// The latest of all its stamps.
  public var latestStamp: SyncStamp {
    max(stamps.values.max() ?? .never, max(deletion.stamp, removal.stamp))
  }

  /// Why its stamps cannot be taken, as a sentence; nil where they can.
  ///
  /// - Parameter time: The centre's, in milliseconds since 1970.
  public func stampProblem(at time: Int64) -> String? {
    let registers = [deletion.stamp, removal.stamp].filter { $0 != .never }
    guard let stamp = (stamps.values + registers).filter({ !$0.isAcceptable(at: time) }).max()
    else { return nil }
    let seconds = stamp.milliseconds / 1000 - time / 1000
    return seconds > 0
      ? "\(entity) \(key) was changed \(seconds) s after the centre's time"
      : "\(entity) \(key) has a stamp that is none"
  }

  /// Sums of them do not overflow, and no history has more of anything.
  static let wholeNumbers: ClosedRange<Int64> = 0...1 << 40

  /// Why its values cannot be taken, as a sentence; nil where they can. It is normalized.
  func valueProblem() -> String? {
    if entity == .user, deletion.isSet || removal.isSet || values == nil {
      return "\(entity) \(key) has gone, which no centre decides"
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

  /// When a field was changed last: ``SyncStamp/never`` where it is NULL and nobody has emptied it.
  func stamp(of field: SyncField) -> SyncStamp {
    if let own = stamps[field.name] { return own }
    return value(field.members[0].name) == .null ? .never : stamps[""] ?? .never
  }

  func value(_ member: String) -> SyncValue { values?[member] ?? .null }

  /// What an object is known by among its owner's. Names are the same where their bytes are.
  public struct Name: Sendable, Hashable {
    public var entity: SyncEntity
    public var key: String

    public init(_ entity: SyncEntity, _ key: String) {
      self.entity = entity
      self.key = key
    }

    public static func == (a: Name, b: Name) -> Bool {
      a.entity == b.entity && a.key.utf8.elementsEqual(b.key.utf8)
    }
  }

  public var name: Name { Name(entity, key) }

  private func name(_ entity: SyncEntity, in member: String) -> Name? {
    if case .text(let key) = value(member) { Name(entity, key) } else { nil }
  }

  /// What it belongs to; nil where it belongs to nothing.
  var parent: Name? {
    switch entity {
    case .historyExercise, .recording: name(.workoutHistory, in: "workout")
    case .historySet: name(.historyExercise, in: "exercise")
    default: nil
    }
  }

  /// What must be at a copy before it, or come with it: what it belongs to, and what it names.
  public var references: [Name] {
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

  /// Of each field the later value, whichever side has it; of the same age, the other side's. Both
  /// sides are there.
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

  /// The values as the columns' types have them: a number without fraction may have come as an
  /// integer. Unknown members are left out, missing ones are NULL.
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
  public init(from decoder: any Decoder) throws {
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

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .integer(let integer): try container.encode(integer)
    case .real(let real): try container.encode(real)
    case .text(let text): try container.encode(text)
    }
  }
}
