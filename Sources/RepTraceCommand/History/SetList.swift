import Foundation
import RepTrace

/// Values that a list of sets shows in addition to the rows.
struct SetListContext {
  /// The names of people; the local person has none.
  var people: [HistoryUser.ID: String]
  /// Time of the first sample of each recording, in seconds on its samples' clock.
  var origins: [HistoryRecordingRow.ID: Double]

  init(_ history: HistoryStore) throws {
    (people, origins) = try HistoryOpening.reading {
      (HistoryOpening.names(of: try history.users.all()), try history.recordingOrigins())
    }
  }

  /// Converts a time on the samples' clock to seconds from the first sample of the set's recording.
  func seconds(_ clockTime: Double?, of row: HistorySetRow) -> Double? {
    guard let clockTime, let origin = row.recordingId.flatMap({ origins[$0] }) else { return nil }
    return clockTime - origin
  }
}

/// The table of sets: `history list` prints it for people, `history export` for spreadsheets.
enum SetList {
  /// Returns the printer of the table. docs/batch.md documents the order of the CSV columns.
  static func printer(_ style: RowStyle) -> RowPrinter {
    style.printer([
      .init("id", .init("id")), .init("user", .init("person")), .init("date", .init("date")),
      .init("exercise", .init("exercise", shrinks: true)),
      .init("setNumber", .init("set", .right)), .init("weight", .init("kg", .right)),
      .init("actualReps", .init("reps", .right)),
      .init("reps", .init("counted", .right, isDispensable: true)),
      .init("correctedReps", isNumber: true),
      .init("labelledReps", .init("labelled", .right, isDispensable: true)),
      .init("confidence", .init("confidence", .right, isConfidence: true)),
      .init("start", .init("start s", .right, isDispensable: true)),
      .init("end", isNumber: true), .init("rest", isNumber: true),
      .init(
        "recording", .init("recording", shrinks: true, isDispensable: true, isPath: true)),
      .init("notes", .init("notes", shrinks: true, isDispensable: true)), .init("cause"),
      .init("number"), .init("set"), .init("exerciseId"),
      .init("sessionId"),
      .init("startTime", isNumber: true), .init("clockStart", isNumber: true),
      .init("clockEnd", isNumber: true), .init("samples"), .init("bytes"),
    ])
  }

  static func print(
    _ row: HistorySetRow, _ context: SetListContext, _ rows: inout RowPrinter
  ) throws {
    func text(_ value: Double?, _ places: Int) -> String {
      value.map { decimal($0, places) } ?? ""
    }
    let start = context.seconds(row.clockStart, of: row)
    let end = context.seconds(row.clockEnd, of: row)
    let unixTime = row.startTime?.timeIntervalSince1970
    try rows.add(
      json: row.jsonLine(context),
      cells: [
        row.shortID, context.people[row.user] ?? "", unixTime.map(DateText.localISO8601) ?? "",
        row.exerciseName ?? row.exerciseId?.rawValue ?? "", String(row.order + 1),
        row.weight.map(weightText) ?? "", String(row.reps), String(row.detectedReps ?? 0),
        row.correctedReps.map { String($0) } ?? "", row.labelledReps.map { String($0) } ?? "",
        text(row.confidence, 4), text(start, 3),
        text(end, 3), text(row.restTime, 1), row.recordingName ?? "", row.notes ?? "",
        row.cause.rawValue,
        String(row.number), row.key.rawValue, row.exerciseId?.rawValue ?? "",
        row.sessionId?.rawValue ?? "", unixTime.map { "\($0)" } ?? "",
        row.clockStart.map { "\($0)" } ?? "", row.clockEnd.map { "\($0)" } ?? "",
        String(row.sampleCount), String(row.byteCount),
      ],
      shown: [
        "date": row.startTime.map(DateText.local) ?? "", "start": text(start, 1),
        "reps": row.correctedReps == nil ? "" : String(row.detectedReps ?? 0),
        "confidence": text(row.confidence, 2),
      ])
  }

  /// Returns a weight in kilograms, with as many decimals as it has.
  static func weightText(_ weight: Double) -> String {
    let rounded = (weight * 100).rounded() / 100
    return rounded == rounded.rounded() ? decimal(rounded, 0) : "\(rounded)"
  }
}

extension HistorySetRow {
  /// Returns the row as one line of NDJSON.
  func jsonLine(_ context: SetListContext) -> String {
    let unixTime = startTime?.timeIntervalSince1970
    return JSONObjectText([
      "number": .number(number), "set": .text(key.rawValue), "setId": .text(setId?.rawValue),
      "exerciseId": .text(exerciseId?.rawValue), "sessionId": .text(sessionId?.rawValue),
      "recording": .text(recordingName), "cause": .text(cause.rawValue),
      "startTime": .number(unixTime, decimals: 3),
      "endTime": .number(endTime?.timeIntervalSince1970, decimals: 3),
      "clockStart": .number(clockStart, decimals: 3), "clockEnd": .number(clockEnd, decimals: 3),
      "reps": .number(detectedReps ?? 0), "correctedReps": .number(correctedReps),
      "confidence": .number(confidence, decimals: 4), "weight": .number(weight, decimals: 3),
      "restTime": .number(restTime, decimals: 3), "samples": .number(sampleCount),
      "bytes": .number(byteCount), "exerciseName": .text(exerciseName), "id": .text(shortID),
      "user": .text(context.people[user]), "exercise": .text(exerciseName ?? exerciseId?.rawValue),
      "date": .text(unixTime.map(DateText.iso8601)), "setNumber": .number(order + 1),
      "actualReps": .number(reps), "labelledReps": .number(labelledReps), "notes": .text(notes),
      "start": .number(context.seconds(clockStart, of: self), decimals: 3),
      "end": .number(context.seconds(clockEnd, of: self), decimals: 3),
    ]).text
  }
}
