#if PostgreSQL
import Foundation
import HistorySync
import WorkoutHistory

/// A centre in PostgreSQL 15 or newer, accessed by libpq: for hosts that may hold a database login.
///
/// Credentials come from libpq's usual places (`~/.pgpass`, a service file, `PGPASSWORD`, peer authentication).
/// The login alone decides whose rows are read and written.
public final class PostgreSQLCentre: SyncTransport {
  private let connection: PostgreSQLConnection

  /// - Parameter address: `postgresql://[user@]host[:port]/database`, without a password.
  public convenience init(address: String) throws {
    try self.init(address: address, lockSeconds: 30)
  }

  /// - Parameter lockSeconds: As in ``PostgreSQLConnection/init(address:lockSeconds:)``.
  init(address: String, lockSeconds: Int) throws {
    connection = try PostgreSQLConnection(address: address, lockSeconds: lockSeconds)
  }

  // MARK: - Making the schema

  /// Creates the schema `reptrace` and the roles `reptrace_user` and `reptrace_writer`, or migrates them, in one
  /// transaction. May be repeated.
  ///
  /// - Returns: The versions before and after; 0 if there was none.
  /// - Throws: ``SyncError/refused(reason:)`` if the login lacks the right.
  @discardableResult
  public func initialize() async throws -> (before: Int, after: Int) {
    let (before, after) = try await connection.transaction { session in
      // Serializes concurrent migrations.
      try session.run("SELECT pg_advisory_xact_lock(hashtext('reptrace'))")
      try session.run(
        """
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'reptrace_user') THEN
            CREATE ROLE reptrace_user NOLOGIN;
          END IF;
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'reptrace_writer') THEN
            CREATE ROLE reptrace_writer NOLOGIN;
          END IF;
        END $$;
        CREATE SCHEMA IF NOT EXISTS reptrace;
        """)
      var before = 0
      let exists = try session.query("SELECT to_regclass('reptrace.centre') IS NOT NULL")
      if exists.first?.first == "t" {
        before = try session.query("SELECT version FROM reptrace.centre")[0].integer(0)
      }
      guard before <= CentralSchema.version else {
        throw SyncError.otherVersion(centre: before, here: CentralSchema.version)
      }
      try session.run(CentralSchema.functions)
      for step in CentralSchema.steps.dropFirst(before) { try session.run(step) }
      try session.query(
        "UPDATE reptrace.centre SET version = $1", [.integer(Int64(CentralSchema.version))])
      return [before, CentralSchema.version]
    }.pair
    return (before, after)
  }

  // MARK: - SyncTransport

  public func pull(_ request: PullRequest) async throws -> PullResponse {
    // The only query if nothing is new.
    var state = try await state()
    try state.requireVersion(request.version)
    if state.position == nil {
      try await connection.transaction { session in _ = try session.query("SELECT reptrace.join()")
      }
      state.position = 0
    }
    if state.position == request.position {
      return PullResponse(
        centre: state.centre, time: state.time, position: request.position, objects: [],
        hasMore: false)
    }
    return try await connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
      session in
      let state = try State(session.query(State.query))
      let rows = try session.query(
        Self.changesQuery,
        [
          .integer(request.position), .text(request.device), .integer(Int64(request.limit + 1)),
        ])
      var page = rows.prefix(request.limit)
      var objects: [SyncObject]
      repeat {
        objects = try page.map { try Self.object($0) }
        try Self.addReferences(to: &objects, after: request.position, session)
        // A few recordings may refer to thousands of sets.
        guard page.count > 1, objects.count / 4 > request.limit else { break }
        page = page.prefix(page.count / 2)
      } while true
      let hasMore = rows.count > page.count
      return PullResponse(
        centre: state.centre, time: state.time,
        position: hasMore ? Int64(page.last?.integer(0) ?? 0) : state.position ?? 0,
        objects: objects, hasMore: hasMore)
    }
  }

  public func push(_ request: PushRequest) async throws -> PushResponse {
    try await connection.transaction { session in
      let latest = try request.checkStamps(at: State(session.query(State.query)).time)
      let advanced = try session.query(
        "SELECT reptrace.advance($1, $2, $3)",
        [.integer(request.position), .integer(Int64(request.objects.count)), .integer(latest)])
      guard let text = advanced.first?.first ?? nil, let position = Int64(text) else {
        return .behind
      }
      var number = request.position
      var rows: [SyncEntity: [Row]] = [:]
      var gone: [SyncEntity: [String]] = [:]
      var tombstones: [Tombstone] = []
      for object in request.objects {
        number += 1
        if object.values == nil {
          gone[object.entity, default: []].append(object.key)
        } else {
          rows[object.entity, default: []].append(Row(object: object, number: number))
        }
        if object.values == nil || object.deletion.stamp != .never
          || object.removal.stamp != .never
        {
          tombstones.append(Tombstone(object, number: number))
        }
      }
      for (entity, keys) in gone.sorted(by: { $0.key > $1.key }) {
        try session.query(
          "SELECT reptrace.remove($1, $2)",
          [.text(CentralSchema.name(entity)), .text(try Self.json(keys))])
      }
      for (entity, rows) in rows.sorted(by: { $0.key < $1.key }) {
        try session.query(
          Self.upsert(entity), [.text(try Self.json(rows)), .text(request.device)])
      }
      if !tombstones.isEmpty {
        try session.query(
          Self.upsertTombstones, [.text(try Self.json(tombstones)), .text(request.device)])
      }
      return .accepted(position: position)
    }
  }

  public func received(_ digests: [String]) async throws -> [String: Int] {
    let list = try Self.json(digests)
    return try await connection.transaction(nil) { session in
      var sizes: [String: Int] = [:]
      for row in try session.query(
        // The last row determines the count (`Functions.sql`). A lateral join looks up each digest by
        // key; otherwise PostgreSQL may compare each with all samples of a person with new rows.
        """
        WITH d AS MATERIALIZED (
          SELECT value AS digest, value || ';' AS beyond FROM json_array_elements_text($1))
        SELECT d.digest, b.count FROM d CROSS JOIN LATERAL (
          SELECT coalesce(nullif(split_part(b.digest, ':', 2), '')::bigint, 0) + length(b.data)
            AS count
          FROM reptrace.timeline_blob b WHERE b.account_id = reptrace.account_id()
            AND b.digest >= d.digest AND b.digest < d.beyond
          ORDER BY b.digest DESC LIMIT 1) b
        """, [.text(list)])
      {
        if let digest = row[0] { sizes[digest] = row.integer(1) }
      }
      return sizes
    }
  }

  public func upload(_ parts: [SamplePart]) async throws {
    // The bytes of all parts are one parameter; the list holds their offsets.
    var bytes = Data()
    var list: [Part] = []
    for part in parts {
      list.append(
        Part(
          digest: part.digest, size: part.size, first: part.offset, place: bytes.count,
          count: part.bytes.count))
      bytes += part.bytes
    }
    let parameters: [Parameter] = [.text(try Self.json(list)), .bytes(bytes)]
    let damaged = try await connection.transaction(nil) { session in
      try session.query(
        """
        SELECT p.digest FROM json_to_recordset($1) AS p(digest text, size bigint, first bigint,
          place integer, count integer)
        WHERE NOT reptrace.upload(p.digest, p.size, p.first,
          substring($2::bytea FROM p.place + 1 FOR p.count))
        """, parameters)
    }
    if let digest = damaged.first?.first ?? nil { throw SyncError.damagedSamples(digest: digest) }
  }

  private struct Part: Encodable {
    var digest: String
    var size: Int
    var first: Int
    /// Offset of the bytes in the parameter.
    var place: Int
    var count: Int
  }

  public func download(_ ranges: [SampleRange]) async throws -> [Data] {
    let list = try Self.json(ranges)
    return try await connection.transaction(nil) { session in
      try session.bytes(
        """
        SELECT (SELECT substring(b.data FROM p."offset" + 1 FOR p.count)
          FROM reptrace.timeline_blob b
          WHERE b.account_id = reptrace.account_id() AND b.digest = p.digest)
        FROM ROWS FROM (json_to_recordset($1) AS (digest text, "offset" integer, count integer))
            WITH ORDINALITY AS p(digest, "offset", count, number)
        ORDER BY p.number
        """, [.text(list)])
    }.map { $0 ?? Data() }
  }

  // MARK: - State

  private struct State: Sendable {
    var centre: String
    var version: Int
    var time: Int64
    /// Nil if the login has no account yet.
    var position: Int64?

    static let query = """
      SELECT id, version, reptrace.time(),
        (SELECT position FROM reptrace.account WHERE role = session_user)
      FROM reptrace.centre
      """

    init(_ rows: [[String?]]) throws {
      guard let row = rows.first, let centre = row[0] else {
        throw SyncError.refused(reason: "its schema is not complete")
      }
      self.centre = centre
      version = row.integer(1)
      time = Int64(row.integer(2))
      position = row[3].flatMap { Int64($0) }
    }

    func requireVersion(_ here: Int) throws {
      guard version == here else { throw SyncError.otherVersion(centre: version, here: here) }
    }
  }

  private func state() async throws -> State {
    try await connection.transaction(nil) { try State($0.query(State.query)) }
  }

  // MARK: - Objects as rows

  /// An object in the form of a row of its table.
  private struct Row: Encodable {
    private struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }

      init(stringValue: String) { self.stringValue = stringValue }

      init?(intValue: Int) { nil }
    }

    var object: SyncObject
    var number: Int64

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      try container.encode(object.key, forKey: Name(stringValue: "key"))
      for member in SyncTable.of(object.entity).members {
        try container.encode(
          object.values?[member.name] ?? .null,
          forKey: Name(stringValue: CentralSchema.column(member, of: object.entity)))
      }
      try container.encode(object.stamps, forKey: Name(stringValue: "stamps"))
      try container.encode(number, forKey: Name(stringValue: "change_number"))
    }
  }

  private struct Tombstone: Encodable {
    private enum CodingKeys: String, CodingKey {
      case entity, key, deleted, removed
      case deletedStamp = "deleted_stamp"
      case removedStamp = "removed_stamp"
      case isGone = "is_gone"
      case changeNumber = "change_number"
    }

    var entity: Int
    var key: String
    var deleted: Bool
    var deletedStamp: String
    var removed: Bool
    var removedStamp: String
    var isGone: Bool
    var changeNumber: Int64

    init(_ object: SyncObject, number: Int64) {
      entity = object.entity.rawValue
      key = object.key
      deleted = object.deletion.isSet
      deletedStamp = object.deletion.stamp.text
      removed = object.removal.isSet
      removedStamp = object.removal.stamp.text
      isGone = object.values == nil
      changeNumber = number
    }
  }

  private static func json(_ value: some Encodable) throws -> String {
    do {
      return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    } catch {
      throw SyncError.refused(reason: "an object has a value that JSON cannot hold: \(error)")
    }
  }

  private static func upsert(_ entity: SyncEntity) -> String {
    let members = SyncTable.of(entity).members
    let columns = members.map { "\"\(CentralSchema.column($0, of: entity))\"" }
    // JSON members are sent as text, so that their bytes do not change.
    let types = zip(columns, members).map {
      "\($0) \($1.kind == .json ? "text" : CentralSchema.type($1.kind))"
    }
    let values = zip(columns, members).map { $1.kind == .json ? "r.\($0)::json" : "r.\($0)" }
    let changed = columns + ["stamps", "change_number", "changed_by"]
    let name = CentralSchema.name(entity)
    return """
      INSERT INTO reptrace.\(name) (key, \(columns.joined(separator: ", ")), stamps, change_number,
        changed_by)
      SELECT r.key, \(values.joined(separator: ", ")), r.stamps, r.change_number, $2
      FROM json_to_recordset($1) AS r(key text, \(types.joined(separator: ", ")), stamps json,
        change_number bigint)
      ON CONFLICT (account_id, key) DO UPDATE SET
        \(changed.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """
  }

  private static let upsertTombstones = """
    INSERT INTO reptrace.tombstone (entity, key, deleted, deleted_stamp, removed, removed_stamp,
      is_gone, change_number, changed_by)
    SELECT r.*, $2 FROM json_to_recordset($1) AS r(entity integer, key text, deleted boolean,
      deleted_stamp text, removed boolean, removed_stamp text, is_gone boolean,
      change_number bigint)
    ON CONFLICT (account_id, entity, key) DO UPDATE SET deleted = excluded.deleted,
      deleted_stamp = excluded.deleted_stamp, removed = excluded.removed,
      removed_stamp = excluded.removed_stamp, is_gone = excluded.is_gone,
      change_number = excluded.change_number, changed_by = excluded.changed_by
    """

  /// Selects rows of a table: change number, entity, key, values, stamps, and the tombstone's columns.
  private static func rows(of table: SyncTable, where condition: String) -> String {
    let members = table.members.map {
      // JSON members are returned as text, so that their bytes do not change.
      let column = "t.\"\(CentralSchema.column($0, of: table.entity))\""
      return "'\($0.name)', \($0.kind == .json ? column + "::text" : column)"
    }
    return """
      SELECT t.change_number, \(table.entity.rawValue) AS entity, t.key,
        json_build_object(\(members.joined(separator: ", "))) AS members, t.stamps,
        x.deleted, x.deleted_stamp, x.removed, x.removed_stamp
      FROM reptrace.\(CentralSchema.name(table.entity)) t LEFT JOIN reptrace.tombstone x
        ON (x.account_id, x.entity, x.key) = (t.account_id, \(table.entity.rawValue), t.key)
      WHERE t.account_id = reptrace.account_id() AND \(condition)
      """
  }

  /// Selects tombstones of deleted objects, with columns as above. Conditions on `t` may follow.
  private static let gone = """
    SELECT t.change_number, t.entity, t.key, NULL::json, NULL::json, t.deleted, t.deleted_stamp,
      t.removed, t.removed_stamp
    FROM reptrace.tombstone t WHERE t.account_id = reptrace.account_id() AND t.is_gone
    """

  private static let changesQuery: String = {
    let isNew = "t.change_number > $1 AND t.changed_by <> $2 ORDER BY t.change_number LIMIT $3"
    let all = SyncTable.all.map { rows(of: $0, where: isNew) } + ["\(gone) AND \(isNew)"]
    return all.map { "(\($0))" }.joined(separator: " UNION ALL ") + " ORDER BY 1 LIMIT $3"
  }()

  private static func object(_ row: [String?]) throws -> SyncObject {
    let decoder = JSONDecoder()
    guard let entity = SyncEntity(rawValue: row.integer(1)), let key = row[2] else {
      throw SyncError.refused(reason: "it sent an object of an unknown kind")
    }
    var object = SyncObject(entity: entity, key: key)
    do {
      if let members = row[3] {
        object.values = try decoder.decode([String: SyncValue].self, from: Data(members.utf8))
      }
      if let stamps = row[4] {
        object.stamps = try decoder.decode([String: SyncStamp].self, from: Data(stamps.utf8))
      }
    } catch {
      throw SyncError.refused(reason: "it sent an object that cannot be read: \(entity) \(key)")
    }
    object.deletion = SyncRegister(
      isSet: row[5] == "t", stamp: SyncStamp(text: row[6] ?? ""))
    object.removal = SyncRegister(isSet: row[7] == "t", stamp: SyncStamp(text: row[8] ?? ""))
    return object
  }

  /// Adds the objects that a page refers to, recursively. The copy already has those up to a position, except
  /// workouts and exercises, which it may have removed since.
  private static func addReferences(
    to objects: inout [SyncObject], after position: Int64, _ session: borrowing Session
  ) throws {
    var names = Set(objects.map(\.name))
    var named = objects.flatMap(\.references)
    // In this order, the references of added objects are handled later.
    for entity in [
      SyncEntity.historySet, .historyExercise, .workoutHistory, .workoutPlan, .split,
      .exerciseTemplate,
    ] {
      // PostgreSQL's text cannot contain U+0000.
      let wanted = Set(named.filter { $0.entity == entity && !$0.key.utf8.contains(0) })
        .subtracting(names)
      guard !wanted.isEmpty else { continue }
      let mayBeRemoved = entity == .workoutHistory || entity == .historyExercise
      let isWanted =
        "t.key IN (SELECT json_array_elements_text($1))"
        + (mayBeRemoved ? "" : " AND t.change_number NOT BETWEEN 1 AND \(position)")
      let rows = try session.query(
        """
        \(rows(of: .of(entity), where: isWanted))
        UNION ALL \(gone) AND t.entity = \(entity.rawValue) AND \(isWanted)
        """, [.text(try json(wanted.map(\.key).sorted()))])
      let added = try rows.map { try object($0) }
      objects += added
      names.formUnion(added.map(\.name))
      named += added.flatMap(\.references)
    }
  }
}

extension [String?] {
  /// Returns the number in a column; 0 for NULL.
  fileprivate func integer(_ column: Int) -> Int { self[column].flatMap { Int($0) } ?? 0 }
}

extension [Int] {
  fileprivate var pair: (Int, Int) { (self[0], self[1]) }
}
#endif
