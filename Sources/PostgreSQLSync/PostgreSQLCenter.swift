#if PostgreSQL
import Foundation
import HistorySync
import WorkoutHistory

/// A center in PostgreSQL 15 or newer. libpq finds the credentials as usual (`~/.pgpass`, a service file,
/// `PGPASSWORD`, peer authentication). The login alone determines whose rows are read and written.
public final class PostgreSQLCenter: SyncTransport {
  private let connection: PostgreSQLConnection

  public convenience init(address: String) throws {
    try self.init(address: address, lockSeconds: 30)
  }

  init(address: String, lockSeconds: Int) throws {
    connection = try PostgreSQLConnection(address: address, lockSeconds: lockSeconds)
  }

  /// Creates the schema `reptrace` and the roles `reptrace_user` and `reptrace_writer`, or migrates them, in one
  /// transaction. May be repeated.
  ///
  /// - Returns: The versions before and after; 0 if there was none.
  @discardableResult
  public func initialize() async throws -> (before: Int, after: Int) {
    try await connection.transaction { session in
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
      let exists = try session.query("SELECT to_regclass('reptrace.center') IS NOT NULL")
      if exists.first?.first == "t" {
        before = try session.query("SELECT version FROM reptrace.center")[0].integer(0)
      }
      guard before <= CentralSchema.version else {
        throw SyncError.otherVersion(center: before, here: CentralSchema.version)
      }
      try session.run(CentralSchema.functions)
      for step in CentralSchema.steps.dropFirst(before) { try session.run(step) }
      try session.query(
        "UPDATE reptrace.center SET version = $1", [.integer(Int64(CentralSchema.version))])
      return (before, CentralSchema.version)
    }
  }

  public func pull(_ request: PullRequest) async throws -> PullResponse {
    // The only query if nothing is new.
    var state = try await connection.transaction(nil) { try State($0.query(State.query)) }
    guard state.version == request.version else {
      throw SyncError.otherVersion(center: state.version, here: request.version)
    }
    if state.position == nil {
      try await connection.transaction { session in _ = try session.query("SELECT reptrace.join()")
      }
      state.position = 0
    }
    if state.position == request.position {
      return PullResponse(
        center: state.center, time: state.time, position: request.position, objects: [],
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
        center: state.center, time: state.time,
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
      var tombstones: [Row] = []
      for object in request.objects {
        number += 1
        if object.values == nil {
          gone[object.entity, default: []].append(object.key)
        } else {
          rows[object.entity, default: []].append(try Self.row(object, number: number))
        }
        if object.values == nil || object.deletion.stamp != .never
          || object.removal.stamp != .never
        {
          tombstones.append(Self.tombstone(object, number: number))
        }
      }
      for (entity, keys) in gone.sorted(by: { $0.key > $1.key }) {
        try session.query(
          "SELECT reptrace.remove($1, $2)",
          [.text(CentralSchema.name(entity)), .text(try Self.json(keys))])
      }
      for (entity, rows) in rows.sorted(by: { $0.key < $1.key }) {
        try session.query(Self.upsert(entity), [.text(try Self.json(rows)), .text(request.device)])
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
    // The bytes of all parts are one parameter; the list has their offsets.
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

  private struct State: Sendable {
    var center: String
    var version: Int
    var time: Int64
    /// Nil if the login has no account yet.
    var position: Int64?

    static let query = """
      SELECT id, version, reptrace.time(),
        (SELECT position FROM reptrace.account WHERE role = session_user)
      FROM reptrace.center
      """

    init(_ rows: [[String?]]) throws {
      guard let row = rows.first, let center = row[0] else {
        throw SyncError.refused(reason: "its schema is not complete")
      }
      self.center = center
      version = row.integer(1)
      time = Int64(row.integer(2))
      position = row[3].flatMap { Int64($0) }
    }
  }
}

extension [String?] {
  func integer(_ column: Int) -> Int { self[column].flatMap { Int($0) } ?? 0 }
}
#endif
