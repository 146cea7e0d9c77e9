#if PostgreSQL
import HistorySync
import WorkoutHistory

/// The schema `reptrace` of the central database: one table per entity, one column per member.
enum CentralSchema {
  /// Migrations in order. Their number is the schema's version, equal to ``SyncExchange/version``.
  static let steps = [text(PackageResources.Schema_1_sql)]

  /// Statements that are repeated at every initialization.
  static let functions = text(PackageResources.Functions_sql)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  static var version: Int { steps.count }

  static func column(_ member: SyncMember, of entity: SyncEntity) -> String {
    if entity == .historyExercise, member.name == "key" { return "exercise_key" }
    return snake(member.name)
  }

  static func name(_ entity: SyncEntity) -> String { snake("\(entity)") }

  private static func snake(_ name: String) -> String {
    var text = ""
    var previous: Character?
    for character in name {
      // Consecutive capitals form one word, as in `videoURL`.
      if character.isUppercase, let previous, !previous.isUppercase { text += "_" }
      text += character.lowercased()
      previous = character
    }
    return text
  }

  static func type(_ kind: SyncMember.Kind) -> String {
    switch kind {
    case .integer: "bigint"
    case .real: "double precision"
    case .text: "text"
    case .json: "json"
    }
  }
}
#endif
