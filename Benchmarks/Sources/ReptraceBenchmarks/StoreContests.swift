import Foundation
import GRDB
import Motion
import RepTrace

/// A history compared with the simple way of keeping samples in SQLite: one row per sample.
///
/// Both write one transaction per recording, which survives power loss (`synchronous = FULL`).
enum StoreContests {
  static func all() throws -> [Contest] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reptrace-bench-store")
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let sets = try BenchmarkRecordings.coreMotion()
    let recordings = (0..<40).map { index in
      // A different first value makes it a different recording.
      var columns: [MotionChannel: [Double]] = [:]
      let samples = sets[index % sets.count]
      for channel in samples.channels { columns[channel] = samples[channel] }
      columns[.yaw]?[0] += Double(index) * 1e-3
      return Recording(name: "\(index)", samples: MotionBatch(columns))
    }
    let samples = recordings.reduce(0) { $0 + $1.samples.count }
    return [
      try insert(recordings, samples, folder), try list(recordings, folder),
      try timeline(recordings, folder),
    ]
  }

  private static func counted(_ recording: Recording) -> CountedSet {
    let times = recording.samples.times
    let start = times.first ?? 0
    let step = ((times.last ?? 0) - start) / 10
    return CountedSet(
      cause: .declared, start: start, end: times.last ?? 0,
      reps: (0..<10).map {
        CountedRep(
          start: start + Double($0) * step, end: start + Double($0 + 1) * step, confidence: 0.9)
      }, confidence: 0.9)
  }

  private static func newFile(_ folder: URL, _ name: String) -> String {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name + suffix))
    }
    return folder.appendingPathComponent(name).path
  }

  private static func bytesPerSample(_ path: String, _ samples: Int) -> [String: Double] {
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    return ["bytesPerSample": Double(size) / Double(samples)]
  }

  // MARK: Ours and rows

  private static func fill(
    _ path: String, _ recordings: [Recording], _ precision: TimelinePrecision
  )
    throws
  {
    let store = try HistoryStore(path: path, mode: .create)
    for recording in recordings {
      try store.save(recording, sets: [counted(recording)], precision: precision)
    }
    try store.close()
  }

  private static func fillRows(_ path: String, _ recordings: [Recording]) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE trainingSet (id INTEGER PRIMARY KEY, reps INTEGER, start REAL, end REAL);
          CREATE TABLE sample (
            setId INTEGER NOT NULL, timestamp REAL, ax REAL, ay REAL, az REAL, rx REAL, ry REAL,
            rz REAL, gx REAL, gy REAL, gz REAL, roll REAL, pitch REAL, yaw REAL);
          CREATE INDEX sampleBySet ON sample (setId);
          """)
    }
    for (number, recording) in recordings.enumerated() {
      try pool.write { db in
        let set = counted(recording)
        try db.execute(
          sql: "INSERT INTO trainingSet VALUES (?, ?, ?, ?)",
          arguments: [number + 1, set.reps.count, set.start, set.end])
        let statement = try db.makeStatement(
          sql: "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let columns = recording.samples.channels.map { recording.samples[$0] }
        for row in 0..<recording.samples.count {
          try statement.setArguments(
            StatementArguments([number + 1]) + StatementArguments(columns.map { $0[row] }))
          try statement.execute()
        }
      }
    }
    try pool.close()
  }

  private static func insert(
    _ recordings: [Recording], _ samples: Int, _ folder: URL
  ) throws -> Contest {
    let path = { (name: String) in folder.appendingPathComponent(name).path }
    return Contest(
      title: "store, insert \(recordings.count) sets with every sample", amount: Double(samples),
      unit: "samples",
      contestants: [
        .init(
          name: "RepTrace, lossless",
          figures: bytesPerSample(path("lossless"), samples)
        ) {
          try fill(newFile(folder, "lossless"), recordings, .lossless)
          return 0
        },
        .init(
          name: "RepTrace, within 1e-4", figures: bytesPerSample(path("bounded"), samples)
        ) {
          try fill(newFile(folder, "bounded"), recordings, .bounded())
          return 0
        },
        .init(
          name: "SQLite, a row a sample", figures: bytesPerSample(path("rows"), samples)
        ) {
          try fillRows(newFile(folder, "rows"), recordings)
          return 0
        },
      ], repetitions: 5, countsWaiting: true)
  }

  /// Measures the first page of a list of sets, which reads no samples.
  private static func list(_ recordings: [Recording], _ folder: URL) throws -> Contest {
    let ours = newFile(folder, "list")
    let rows = newFile(folder, "list-rows")
    try fill(ours, recordings, .lossless)
    try fillRows(rows, recordings)
    let store = try HistoryStore(path: ours, mode: .readOnly)
    let pool = try DatabasePool(path: rows)
    let pages = 50
    return Contest(
      title: "store, list the first 20 sets with their sizes", amount: Double(pages),
      unit: "pages",
      contestants: [
        .init(name: "RepTrace") {
          try Double(
            (0..<pages).reduce(0) { sum, _ in
              sum + (try store.sets(limit: 20).reduce(0) { $0 + $1.sampleCount })
            })
        },
        .init(name: "SQLite, a row a sample") {
          try Double(
            (0..<pages).reduce(0) { sum, _ in
              sum
                + (try pool.read { db in
                  try Row.fetchAll(
                    db,
                    sql: """
                      SELECT s.*, (SELECT count(*) FROM sample WHERE setId = s.id) AS samples
                      FROM trainingSet s ORDER BY s.id LIMIT 20
                      """)
                }.reduce(0) { $0 + ($1["samples"] as Int) })
            })
        },
      ])
  }

  private static func timeline(_ recordings: [Recording], _ folder: URL) throws -> Contest {
    let store = try HistoryStore(
      path: folder.appendingPathComponent("list").path, mode: .readOnly)
    let pool = try DatabasePool(path: folder.appendingPathComponent("list-rows").path)
    let ids = try store.sets().map(\.id)
    let samples = recordings.reduce(0) { $0 + $1.samples.count }
    return Contest(
      title: "store, read the timelines of \(ids.count) sets", amount: Double(samples),
      unit: "samples",
      contestants: [
        .init(name: "RepTrace") {
          try ids.reduce(0.0) { sum, id in
            sum + (try store.timeline(ofSet: id).samples[.yaw].reduce(0, +))
          }
        },
        .init(name: "SQLite, a row a sample") {
          try (1...recordings.count).reduce(0.0) { sum, id in
            sum
              + (try pool.read { db in
                let columns = try Row.fetchCursor(
                  db, sql: "SELECT * FROM sample WHERE setId = ? ORDER BY rowid", arguments: [id])
                var values = [[Double]](repeating: [], count: 13)
                while let row = try columns.next() {
                  for index in 0..<13 { values[index].append(row[index + 1]) }
                }
                return values[12].reduce(0, +)
              })
          }
        },
      ], repetitions: 5)
  }
}
