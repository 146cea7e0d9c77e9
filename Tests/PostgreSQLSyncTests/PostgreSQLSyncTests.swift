#if PostgreSQL
import Foundation
import HistorySync
import SyncTestSupport
import TestSupport
import Testing
import WorkoutHistory

@testable import PostgreSQLSync

@Suite(.serialized, .enabled(if: Server.place != nil, "start a server with .ci/test-postgres"))
struct PostgreSQLSyncTests {
  let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder(inMemory: true)
    try await Server.prepare()
  }

  @Test func twoCopiesBecomeEqual() async throws {
    let (one, two) = (try Copy(folder, "one"), try Copy(folder, "two"))
    try one.live()
    try await one.sync("alice")
    let report = try await two.sync("alice")
    #expect(report.received > 5 && report.refused.isEmpty && report.receivedBytes > 10_000)
    let (mine, theirs) = (
      try #require(try one.store.set("W/X")), try #require(try two.store.set("W/X"))
    )
    #expect(mine.reps == theirs.reps && theirs.sampleCount == mine.sampleCount)
    #expect(mine.startTime == theirs.startTime && mine.confidence == theirs.confidence)
    #expect(try one.store.plans.plan("P")?.items == two.store.plans.plan("P")?.items)
    #expect(
      try two.store.recording(#require(theirs.recordingId)).samples.digest()
        == one.store.recording(#require(mine.recordingId)).samples.digest())
    #expect(try two.store.verify().isIntact)
    // Corrections are exchanged in both directions.
    try two.store.correct(set: "W/X", reps: 11)
    try one.store.update(set: mine.id, weight: 70.1)
    try await two.sync("alice")
    try await one.sync("alice")
    try await two.sync("alice")
    for copy in [one, two] {
      #expect(try copy.store.set("W/X")?.reps == 11)
      #expect(try copy.store.set("W/X")?.weight == 70.1)
    }
  }

  @Test func idleSyncTakesOneRoundTrip() async throws {
    let copy = try Copy(folder, "one")
    try copy.live()
    try await copy.sync("alice")
    let synchronizer = try copy.synchronizer("alice")
    let report = try await synchronizer.sync()
    #expect(report.didNothing && report.roundTrips == 1)
  }

  @Test func centerCanBeQueriedInSQL() async throws {
    let copy = try Copy(folder, "one")
    try copy.live()
    try copy.store.correct(set: "W/X", reps: 11)
    try await copy.sync("alice")
    let sets = try await Server.query(
      "alice",
      "SELECT person, set_key, session, exercise, reps, counted_reps FROM reptrace.set_overview")
    #expect(sets == [["alice", "W/X", "W", "Bench press", "11", "9"]])
    let items = try await Server.query(
      "alice",
      "SELECT position, kind, weight, duration FROM reptrace.plan_item ORDER BY position")
    #expect(items == [["0", "repetitions", "62.5", nil], ["1", "break", nil, "60"]])
    let segments = try await Server.query(
      "alice",
      """
      SELECT s.set_key, length(b.data) = b.size AND encode(sha256(b.data), 'hex') = s.digest
      FROM reptrace.timeline_segment s JOIN reptrace.timeline_blob b USING (account_id, digest)
      ORDER BY s.position
      """)
    #expect(segments.contains(["W/X", "t"]) && segments.allSatisfy { $0[1] == "t" })
  }

  @Test func deletionLeavesNoDataAtTheCenter() async throws {
    let (one, two) = (try Copy(folder, "one"), try Copy(folder, "two"))
    try one.live()
    try await one.sync("alice")
    try await two.sync("alice")
    try two.store.delete(workout: try #require(try two.store.workouts.workout("W")).id)
    try await two.sync("alice")
    for table in ["history_set", "workout_history", "recording", "timeline_blob"] {
      let rows = try await Server.query("alice", "SELECT count(*) FROM reptrace.\(table)")
      #expect(rows == [["0"]], "\(table)")
    }
    try await one.sync("alice")
    #expect(try one.store.workouts.workout("W") == nil)
  }

  @Test func loginsAccessOnlyTheirOwnRows() async throws {
    let (one, two) = (try Copy(folder, "one"), try Copy(folder, "two"))
    try one.live()
    try await one.sync("alice")
    try await two.sync("bob")
    #expect(try two.store.workouts.page().isEmpty, "bob gets nothing of alice's")
    let tables =
      SyncTable.all.map { CentralSchema.name($0.entity) }
      + ["tombstone", "timeline_blob", "timeline_segment", "plan_item"]
    let alice = try #require(
      try await Server.query("alice", "SELECT reptrace.account_id()")[0][0])
    let before = try await contents(tables)
    for table in tables {
      let own = try await Server.query(
        "bob", "SELECT count(*) FROM reptrace.\(table) WHERE account_id = \(alice)")
      #expect(own == [["0"]], "bob sees \(table)")
      for attempt in [
        "UPDATE reptrace.\(table) SET account_id = reptrace.account_id()",
        "DELETE FROM reptrace.\(table) WHERE account_id = \(alice)",
        "SELECT reptrace.remove('\(table)', (SELECT json_agg(key) FROM reptrace.\(table)))",
      ] { _ = try? await Server.query("bob", attempt) }
    }
    for attempt in [
      """
      INSERT INTO reptrace.split (account_id, key, name, stamps, change_number, changed_by)
      VALUES (\(alice), 'S', 'bob was here', '{}', 1, 'bob')
      """,
      """
      INSERT INTO reptrace.timeline_blob (account_id, digest, size, data) VALUES (\(alice), 'd', 1, 'x')
      """,
      "UPDATE reptrace.account SET position = 0", "UPDATE reptrace.account SET latest = 0",
      "DELETE FROM reptrace.account",
      "UPDATE reptrace.center SET version = 7", "SET ROLE alice",
      "UPDATE reptrace.account SET role = 'bob'",
      "ALTER TABLE reptrace.split DISABLE ROW LEVEL SECURITY",
      "DROP POLICY own ON reptrace.split",
    ] {
      await #expect(throws: SyncError.self, "\(attempt)") { try await Server.query("bob", attempt) }
    }
    let accounts = try await Server.query("bob", "SELECT role FROM reptrace.account")
    #expect(accounts == [["bob"]])
    let sets = try await Server.query("bob", "SELECT count(*) FROM reptrace.set_overview")
    #expect(sets == [["0"]])
    // Bob tries to assign his own row to another account.
    _ = try? await Server.query(
      "bob", "UPDATE reptrace.\"user\" SET account_id = \(alice), key = 'forged'")
    #expect(try await contents(tables) == before)
    // A login without the role can read nothing.
    try await Server.query("admin", "REVOKE reptrace_user FROM bob")
    await #expect(throws: SyncError.self) {
      try await Server.query("bob", "SELECT * FROM reptrace.history_set")
    }
  }

  /// Locks that a login can take do not block the syncs of others.
  @Test func loginsCannotBlockEachOther() async throws {
    let copy = try Copy(folder, "one")
    try copy.live()
    try await copy.sync("alice")
    try await copy.sync("bob")
    let tables = try await Server.query(
      "admin", "SELECT tablename FROM pg_tables WHERE schemaname = 'reptrace' ORDER BY 1")
    #expect(tables.count > 12)
    for mode in ["SHARE", "SHARE ROW EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE"] {
      for table in tables.compactMap(\.first) {
        await #expect(throws: SyncError.self, "\(mode) \(table ?? "")") {
          try await PostgreSQLConnection(address: Server.address("bob")).transaction {
            try $0.run("LOCK TABLE reptrace.\"\(table ?? "")\" IN \(mode) MODE")
          }
        }
      }
    }
    // Bob takes all possible locks and does not end his transaction.
    let bob = try PostgreSQLConnection(address: Server.address("bob"))
    try await bob.transaction(nil) { session in
      try session.run("BEGIN")
      for table in tables.compactMap({ $0[0] }) {
        for lock in [
          "LOCK TABLE reptrace.\"\(table)\" IN ROW EXCLUSIVE MODE",
          "SELECT 1 FROM reptrace.\"\(table)\" FOR UPDATE",
        ] {
          try session.run("SAVEPOINT before")
          do { try session.run(lock) } catch { try session.run("ROLLBACK TO before") }
        }
      }
      try session.run("SELECT reptrace.advance(position, 0, 0) FROM reptrace.account")
    }
    try copy.store.correct(set: "W/X", reps: 11)
    let alice = try PostgreSQLCenter(address: Server.address("alice"), lockSeconds: 1)
    let once = Backoff(attempts: 1)
    #expect(
      try await Synchronizer(store: copy.store, transport: alice, backoff: once).sync().sent > 0)
    let admin = try await PostgreSQLCenter(address: Server.address("admin"), lockSeconds: 1)
      .initialize()
    #expect(admin.after == CentralSchema.version)
    try await bob.transaction(nil) { try $0.run("ROLLBACK") }
  }

  /// A login with the right to lock tables can delay a sync but not hang it.
  @Test func lockedSyncTimesOut() async throws {
    let copy = try Copy(folder, "one")
    try copy.live()
    let admin = try PostgreSQLConnection(address: Server.address("admin"))
    try await admin.transaction(nil) {
      try $0.run("BEGIN; LOCK TABLE reptrace.history_set IN EXCLUSIVE MODE")
    }
    let center = try PostgreSQLCenter(address: Server.address("alice"), lockSeconds: 1)
    let synchronizer = Synchronizer(
      store: copy.store, transport: center, backoff: Backoff(attempts: 1))
    let error = await #expect(throws: SyncError.self) { try await synchronizer.sync() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("lock timeout"))
    try await admin.transaction(nil) { try $0.run("COMMIT") }
    #expect(try await synchronizer.sync().sent > 0)
  }

  /// Functions that run with the rights of the schema's owner use no types created by a login.
  @Test func functionsUseNoTypesOfTheLogin() async throws {
    try await Server.query("alice", "SELECT reptrace.join()")
    let digest = SyncExchange.digest(of: Data([1]))
    let taken = try await PostgreSQLConnection(address: Server.address("alice")).transaction(nil) {
      session in
      try session.run(
        """
        CREATE FUNCTION pg_temp.spy(x pg_catalog.bytea) RETURNS boolean LANGUAGE plpgsql
          AS $$ BEGIN RAISE 'seen by %', current_user; END $$;
        CREATE DOMAIN pg_temp.bytea AS pg_catalog.bytea CHECK (pg_temp.spy(VALUE));
        CREATE DOMAIN pg_temp.text AS pg_catalog.text CHECK (pg_temp.spy(VALUE::pg_catalog.bytea));
        """)
      return try session.query(
        "SELECT reptrace.upload('\(digest)', 1, 0, '\\x01'::pg_catalog.bytea)")
    }
    #expect(taken == [["t"]])
  }

  /// Returns all of alice's rows, as she sees them.
  private func contents(_ tables: [String]) async throws -> [[String?]] {
    var rows: [[String?]] = []
    for table in tables {
      rows += try await Server.query("alice", "SELECT t::text FROM reptrace.\(table) t ORDER BY 1")
    }
    return rows
  }

  @Test func schemaIsCreatedOnce() async throws {
    try await Server.query("admin", "DROP SCHEMA reptrace CASCADE")
    let copy = try Copy(folder, "one")
    await #expect(throws: SyncError.self) { try await copy.sync("alice") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { try await Server.center("admin").initialize() } }
      try await group.waitForAll()
    }
    let again = try await Server.center("admin").initialize()
    #expect(again == (CentralSchema.version, CentralSchema.version))
    #expect(CentralSchema.version == SyncExchange.version)
  }

  @Test func versionMismatchIsExplained() async throws {
    let copy = try Copy(folder, "one")
    try await Server.query("admin", "UPDATE reptrace.center SET version = version + 1")
    let error = await #expect(throws: SyncError.self) { try await copy.sync("alice") }
    #expect("\(error.map { "\($0)" } ?? "")".contains("install a newer"))
    await #expect(throws: SyncError.self) { try await Server.center("admin").initialize() }
    try await Server.query("admin", "UPDATE reptrace.center SET version = version - 1")
    try await copy.sync("alice")
  }

  @Test func schemaHasAColumnForEveryMember() async throws {
    for table in SyncTable.all {
      let name = CentralSchema.name(table.entity)
      let columns = try await Server.query(
        "admin",
        """
        SELECT column_name, data_type FROM information_schema.columns
        WHERE table_schema = 'reptrace' AND table_name = $1 AND column_name NOT IN
          ('account_id', 'key', 'stamps', 'change_number', 'changed_by')
        ORDER BY column_name COLLATE "C"
        """, [.text(name)])
      let members = table.members.map {
        [CentralSchema.column($0, of: table.entity), CentralSchema.type($0.kind)]
      }.sorted { $0[0] < $1[0] }
      #expect(columns == members, "\(name)")
    }
  }

  @Test func stampsInTheFutureAreRejected() async throws {
    let copy = try Copy(folder, "one")
    try copy.live()
    try await copy.sync("alice")
    let device = "0000000000000009"
    let pull = try await Server.center("alice").pull(
      PullRequest(device: device, position: 0, limit: 100))
    let memory = MemoryCenter()
    for (center, position) in [(try Server.center("alice"), pull.position), (memory, 0)]
      as [(any SyncTransport, Int64)]
    {
      var set = try #require(pull.objects.first { $0.entity == .split || $0.entity == .historySet })
      let parents = pull.objects.filter {
        [.workoutHistory, .historyExercise].contains($0.entity)
      }
      for text in ["7fffffffffffffff", "ffffffffffffffff", "later"] {
        set.stamps["correction"] = SyncStamp(text: text + device)
        await #expect(throws: SyncError.self) {
          try await center.push(
            PushRequest(device: device, position: position, objects: parents + [set]))
        }
      }
      set.stamps["correction"] = pull.objects.map(\.latestStamp).max()
      let response = try await center.push(
        PushRequest(device: device, position: position, objects: parents + [set]))
      #expect(response == .accepted(position: position + Int64(parents.count) + 1))
    }
  }

  /// A center whose clock was a year ahead and was then corrected keeps its time until the true time catches
  /// up. Otherwise nobody could change anything for a year.
  @Test func centerTimeDoesNotGoBack() async throws {
    let (one, two) = (try Copy(folder, "one"), try Copy(folder, "two"))
    try one.live()
    try await one.sync("alice")
    let year: Int64 = 365 * 86_400_000
    try await Server.query("admin", "UPDATE reptrace.account SET latest = latest + \(year)")
    try one.store.correct(set: "W/X", reps: 11)
    try await one.sync("alice")
    try await two.sync("alice")
    try two.store.correct(set: "W/X", reps: 12)
    try await two.sync("alice")
    try await one.sync("alice")
    #expect(try one.store.set("W/X")?.reps == 12)
  }

  @Test func damagedSamplesAreRejected() async throws {
    let center = try Server.center("alice")
    try await Server.query("alice", "SELECT reptrace.join()")
    let digest = SyncExchange.digest(of: Data([1, 2, 3]))
    func part(_ bytes: [UInt8], at offset: Int) -> SamplePart {
      SamplePart(digest: digest, size: 3, offset: offset, bytes: Data(bytes))
    }
    try await center.upload([part([1, 2], at: 0)])
    #expect(try await center.received([digest]) == [digest: 2])
    await #expect(throws: SyncError.damagedSamples(digest: digest)) {
      try await center.upload([part([4], at: 2)])
    }
    #expect(try await center.received([digest]).isEmpty)
    // Parts may be repeated, and may overlap.
    try await center.upload([part([1, 2], at: 0)])
    try await center.upload([part([1, 2], at: 0)])
    try await center.upload([part([2, 3], at: 1)])
    let range = SampleRange(digest: digest, offset: 1, count: 9)
    #expect(try await center.download([range]) == [Data([2, 3])])
  }

  /// Parts are separate rows until the last one arrives, so that earlier bytes are not rewritten.
  @Test func longSamplesAreWrittenOnce() async throws {
    let center = try Server.center("alice")
    try await Server.query("alice", "SELECT reptrace.join()")
    // `--init` replaces functions of an older program.
    try await Server.query(
      "admin",
      """
      CREATE OR REPLACE FUNCTION reptrace.upload(digest text, size bigint, first bigint, part bytea)
        RETURNS boolean LANGUAGE sql AS 'SELECT false'
      """)
    try await Server.center("admin").initialize()
    let whole = Data((0..<10).map { UInt8($0) })
    let digest = SyncExchange.digest(of: whole)
    func upload(_ range: Range<Int>) async throws {
      try await center.upload([
        SamplePart(
          digest: digest, size: whole.count, offset: range.lowerBound,
          bytes: whole.subdata(in: range))
      ])
    }
    func rows() async throws -> [[String?]] {
      try await Server.query(
        "alice", "SELECT length(data) FROM reptrace.timeline_blob ORDER BY digest")
    }
    try await upload(0..<4)
    for (range, count) in [(2..<6, 6), (7..<8, 6), (0..<4, 6), (5..<9, 9)] {
      try await upload(range)
      #expect(try await center.received([digest]) == [digest: count])
    }
    #expect(try await rows() == [["4"], ["2"], ["3"]])
    try await upload(8..<10)
    try await upload(8..<10)
    #expect(try await rows() == [["10"]])
    #expect(try await center.received([digest]) == [digest: 10])
    let range = SampleRange(digest: digest, offset: 0, count: 10)
    #expect(try await center.download([range]) == [whole])
  }

  /// The samples of one message are separated in order; an error names the damaged ones.
  @Test func manySamplesShareOneMessage() async throws {
    let center = try Server.center("alice")
    try await Server.query("alice", "SELECT reptrace.join()")
    let samples = (1...9).map { Data(repeating: UInt8($0), count: 100 * $0) }
    let digests = samples.map(SyncExchange.digest)
    var parts = zip(digests, samples).map {
      SamplePart(digest: $0, size: $1.count, offset: 0, bytes: $1)
    }
    parts[4].bytes[7] ^= 1
    await #expect(throws: SyncError.damagedSamples(digest: digests[4])) {
      try await center.upload(parts)
    }
    #expect(try await center.received(digests).count == 8)
    parts[4].bytes[7] ^= 1
    try await center.upload(parts)
    let ranges = digests.reversed().map { SampleRange(digest: $0, offset: 20, count: 1000) }
    #expect(try await center.download(ranges) == samples.reversed().map { $0.dropFirst(20) })
    let none = SampleRange(digest: String(repeating: "0", count: 64), offset: 0, count: 1)
    #expect(try await center.download([none, ranges[0]]) == [Data(), samples[8].dropFirst(20)])
  }

  /// The number of messages of a first sync of many short recordings is bounded by its pages and megabytes.
  @Test func shortRecordingsShareMessages() async throws {
    let (one, two) = (try Copy(folder, "one"), try Copy(folder, "two"))
    for number in 0..<30 { try one.live(workout: "W\(number)", rows: 1000 + number) }
    let sent = try await one.sync("alice")
    #expect(sent.sentBytes > 30_000 && sent.roundTrips <= 6)
    let received = try await two.sync("alice")
    #expect(received.receivedBytes == sent.sentBytes && received.roundTrips <= 6)
    #expect(try two.store.verify().isIntact)
  }

  @Test(arguments: [1, 3]) func pageIncludesReferencedObjects(_ size: Int) async throws {
    let (one, two) = (try Copy(folder, "one"), try Copy(folder, "two"))
    try one.store.liveInPages()
    try await one.sync("alice")
    try one.store.changeWhatOthersName()
    try await one.sync("alice")
    var synchronizer = try two.synchronizer("alice")
    synchronizer.pageSize = size
    #expect(try await synchronizer.sync().refused.isEmpty)
    #expect(try two.store.namesTheSame(as: one.store))
    // A recording may still refer to a deleted set.
    let key = try one.store.sets(ofRecording: one.store.recordings()[0].id)[0].key.rawValue
    try await Server.query(
      "alice", "SELECT reptrace.remove('history_set', json_build_array($1::text))", [.text(key)])
    try await Server.query(
      "alice",
      """
      INSERT INTO reptrace.tombstone (entity, key, deleted, deleted_stamp, removed, removed_stamp,
        is_gone, change_number, changed_by)
      SELECT 6, $1, false, '', true, '00000000000000000000000000000001', true, 0, 'x'
      """, [.text(key)])
    let third = try Copy(folder, "three")
    #expect(try await third.sync("alice").refused.isEmpty)
    #expect(try third.store.recordings().count == 1 && third.store.verify().isIntact)
  }

  @Test func newDeviceReceivesEverything() async throws {
    let one = try Copy(folder, "one")
    try one.live()
    try await one.sync("alice")
    let path = folder.path("new.sqlite")
    #expect(try Self.sync(path, Server.address("alice")) == 0)
    let two = try HistoryStore(path: path, mode: .readOnly)
    #expect(try two.set("W/X")?.sampleCount == one.store.set("W/X")?.sampleCount)
    // The command reports rejected objects.
    try await Server.query("alice", "UPDATE reptrace.workout_plan SET title = repeat('x', 9999)")
    #expect(try Self.sync(folder.path("strict.sqlite"), Server.address("alice")) == 1)
    // Nothing is created for an unknown user.
    let other = folder.path("other.sqlite")
    #expect(try Self.sync(other, Server.address("alice"), "--user", "nobody") == 66)
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  /// Runs `reptrace sync` and returns its exit status.
  private static func sync(_ arguments: String...) throws -> Int32 {
    try run(#require(builtCommand()).path, ["sync"] + arguments).status
  }

  @Test func concurrentSyncsBothSucceed() async throws {
    let (one, two) = (try Copy(folder, "one"), try Copy(folder, "two"))
    try one.live(workout: "A")
    try two.live(workout: "B")
    async let first = one.sync("alice")
    async let second = two.sync("alice")
    _ = try await (first, second)
    for copy in [one, two] { try await copy.sync("alice") }
    for copy in [one, two] { #expect(try copy.store.workouts.page().count == 2) }
  }

  @Test func theServerIsKilledInMidSync() async throws {
    let (one, two) = (try Copy(folder, "one"), try Copy(folder, "two"))
    for index in 0..<20 { try one.live(workout: "W\(index)") }
    // Between the first pull and the first push.
    let transport = FaultyTransport(try Server.center("alice"), seed: 1, rate: 0) {
      try Self.control("kill")
      try Self.control("resume")
    }
    let synchronizer = Synchronizer(
      store: one.store, transport: transport,
      backoff: Backoff(first: 0.1, longest: 1, attempts: 30), pageSize: 3)
    #expect(try await synchronizer.sync().sent > 20)
    try await two.sync("alice")
    #expect(try two.store.workouts.page().count == 20 && two.store.verify().isIntact)
  }

  private static func control(_ command: String) throws {
    let process = Process()
    process.executableURL = packageRoot.appendingPathComponent(".ci/postgres")
    process.arguments = [command, Server.folder]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

@Suite struct AddressTests {
  @Test func addressWithAPasswordIsRejected() throws {
    for address in [
      "postgresql://alice:secret@localhost/history", "postgres://localhost/h?password=secret",
      "host=localhost password=secret", "http://localhost/",
      "postgresql://localhost/h?sslpassword=secret", "postgresql://[",
    ] {
      let error = #expect(throws: SyncError.self) { try PostgreSQLCenter(address: address) }
      #expect(error.map { "\($0)" }?.contains("secret") == false)
    }
    _ = try PostgreSQLCenter(address: "postgresql://alice@localhost:5433/history?sslmode=require")
  }
}
#endif
