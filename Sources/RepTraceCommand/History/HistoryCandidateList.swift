import Foundation
import RepTrace

/// The sets without an exercise, each with its most similar exercise.
enum HistoryCandidateList {
  static func list(_ history: HistoryStore, of owner: HistoryUser.ID?, _ style: RowStyle) throws {
    var rows = style.printer([
      .init("id", .init("id")), .init("date", .init("date")),
      .init("reps", .init("reps", .right)),
      .init("exerciseCandidate", .init("perhaps")),
      .init("exerciseProbability", .init("probability", .right)),
      .init("noneProbability", .init("none known", .right)),
      .init("number"), .init("set"), .init("startTime", isNumber: true),
    ])
    var known: [HistoryUser.ID: KnownMovements] = [:]
    var last: HistorySetRow?
    var failureCount = 0
    repeat {
      let page = try HistoryOpening.reading {
        try history.sets(after: last, limit: 1000) {
          StandardStreams.note("\($0)")
          failureCount += 1
        }
      }
      for row in page where owner == nil || row.user == owner {
        guard row.exerciseId == nil, row.exerciseName == nil else { continue }
        let movements =
          try known[row.user]
          ?? HistoryOpening.reading {
            try KnownMovements(history, user: row.user)
          }
        known[row.user] = movements
        do {
          try print(row, try candidate(for: row, movements, in: history), &rows)
        } catch HistoryError.damaged(_, let reason) {
          StandardStreams.note("\(history.path)#\(row.shortID): \(reason)")
          failureCount += 1
          try print(row, nil, &rows)
        }
      }
      last = page.last
    } while last != nil
    try rows.finish()
    if failureCount > 0 { throw ExitStatus.someInputsFailed }
  }

  /// Returns the most similar exercise; nil if none is known or the set shows no movement.
  private static func candidate(
    for row: HistorySetRow, _ known: KnownMovements, in history: HistoryStore
  ) throws -> ExerciseCandidate? {
    guard !known.isEmpty, row.byteCount > 0 else { return nil }
    let timeline = try SampleExport.reading("set \(row.shortID)", in: history.path) {
      try history.timeline(ofSet: row.id)
    }
    return timeline.set.flatMap {
      known.candidate(for: $0, in: timeline.samples, unixTime: row.startTime?.timeIntervalSince1970)
    }
  }

  private static func print(
    _ row: HistorySetRow, _ candidate: ExerciseCandidate?, _ rows: inout RowPrinter
  ) throws {
    let unixTime = row.startTime?.timeIntervalSince1970
    try rows.add(
      json: JSONObjectText([
        "number": .number(row.number), "set": .text(row.key.rawValue),
        "startTime": .number(unixTime, decimals: 3), "reps": .number(row.reps),
        "exerciseCandidate": .json(candidate?.json), "id": .text(row.shortID),
      ]).text,
      cells: [
        row.shortID, unixTime.map(DateText.localISO8601) ?? "", String(row.reps),
        candidate?.name ?? "", candidate.map { decimal($0.probability, 4) } ?? "",
        candidate.map { decimal($0.noneProbability, 4) } ?? "", String(row.number),
        row.key.rawValue, unixTime.map { "\($0)" } ?? "",
      ],
      shown: [
        "date": row.startTime.map(DateText.local) ?? "",
        "exerciseProbability": candidate.map { decimal($0.probability, 2) } ?? "",
        "noneProbability": candidate.map { decimal($0.noneProbability, 2) } ?? "",
      ])
  }
}
