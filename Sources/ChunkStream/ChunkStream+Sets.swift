import Foundation
import Motion
import Reports
import TextFormats
import TimelineFormat
import WorkoutHistory

extension ChunkStream {
  /// A finalized set of a person. It is not part of a workout in progress.
  public struct StoredSet: Sendable {
    let row: HistorySetRow

    /// `SESSION/SET`: the set's unique key among the person's sets.
    public var key: String {
      SetName(session: row.sessionId?.rawValue, key: row.key.rawValue).globalKey
    }

    /// The cursor for a query of older sets.
    public var cursor: Int64 { row.id.rawValue }

    private enum Value {
      case text(String?)
      case integer(Int?)
      case number(Double?, decimals: Int)
    }

    private var members: [(name: String, value: Value)] {
      [
        ("key", .text(key)), ("sessionId", .text(row.sessionId?.rawValue)),
        ("setId", .text(row.setId?.rawValue)), ("exerciseId", .text(row.exerciseId?.rawValue)),
        ("exerciseName", .text(row.exerciseName)), ("cause", .text(row.cause.rawValue)),
        ("startTime", .number(row.startTime?.timeIntervalSince1970, decimals: 3)),
        ("endTime", .number(row.endTime?.timeIntervalSince1970, decimals: 3)),
        ("reps", .integer(row.detectedReps ?? 0)), ("correctedReps", .integer(row.correctedReps)),
        ("confidence", .number(row.confidence, decimals: 4)),
        ("weight", .number(row.weight, decimals: 3)), ("samples", .integer(row.sampleCount)),
      ]
    }

    /// The set as a JSON object.
    public var json: String { object.text }

    fileprivate var object: JSONObjectText {
      var object = JSONObjectText()
      for (name, value) in members {
        switch value {
        case .text(let text): object.add(name, .text(text))
        case .integer(let number): object.add(name, .number(number))
        case .number(let number, let decimals):
          object.add(name, .number(number, decimals: decimals))
        }
      }
      return object
    }

    /// The set as a line of CSV, without its line end.
    public var csv: String {
      members.map { member in
        switch member.value {
        case .text(let text): Self.cell(text ?? "")
        case .integer(let number): number.map { "\($0)" } ?? ""
        case .number(let number, let decimals):
          number.map { JSONObjectText.number($0, decimals: decimals) } ?? ""
        }
      }.joined(separator: ",")
    }

    /// The header line of the CSV.
    public static var csvHeader: String {
      "key,sessionId,setId,exerciseId,exerciseName,cause,startTime,endTime,reps,correctedReps,"
        + "confidence,weight,samples"
    }

    /// Quotes a cell. Spreadsheets evaluate cells that begin like a formula; an apostrophe makes them text.
    private static func cell(_ text: String) -> String {
      var text = text
      if let first = text.first, "=+-@\t\r".contains(first) { text = "'" + text }
      guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline || $0 == "'" }) else {
        return text
      }
      return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
  }

  private func user(_ person: String) throws -> HistoryUser.ID? {
    try history.users.user(HistoryUser.Key(person))?.id
  }

  /// Returns a page of a person's sets, newest first.
  ///
  /// - Parameter cursor: The ``StoredSet/cursor`` of the last set of the previous page; nil for the first page.
  public func sets(of person: String, before cursor: Int64?, limit: Int) throws -> [StoredSet] {
    guard let user = try user(person) else { return [] }
    return try history.newestSets(
      of: user, before: cursor.map { HistorySetRow.ID($0) }, limit: limit
    ).map(StoredSet.init)
  }

  /// Returns a person's set by its key, its events' `setKey`, or its id if that is unique among the sessions.
  public func set(_ key: String, of person: String) throws -> StoredSet? {
    guard let user = try user(person) else { return nil }
    do {
      let row = try history.set(HistorySetRow.Key(key), user: user)
      // A number could also be a position in the list of all people's sets.
      return Int(key) == nil || row?.key.rawValue == key ? row.map(StoredSet.init) : nil
    } catch HistoryError.ambiguous {
      return nil
    }
  }

  /// Returns a set with its reps as a JSON object. The reps' times are in seconds from the set's first sample.
  public func details(of set: StoredSet) throws -> String {
    let timeline = try history.timeline(ofSet: set.row.id)
    var object = set.object
    let origin = timeline.samples.inStandardUnits().times.first ?? 0
    object.add(
      "repEvents", .json((timeline.set?.reps ?? []).json(decimals: 3, origin: origin)))
    return object.text
  }

  /// Returns the samples of a set as CSV, without loss of precision.
  public func samplesCSV(of set: StoredSet) throws -> String {
    let samples = try history.timeline(ofSet: set.row.id).samples
    let columns = samples.channels.map { samples[$0] }
    var text =
      samples.channels.map { channel in
        let symbol = samples.units.symbol(of: channel.quantity)
        return symbol == MotionUnits.standard.symbol(of: channel.quantity)
          ? channel.name : "\(channel.name)(\(symbol))"
      }.joined(separator: ",") + "\n"
    for row in 0..<samples.count {
      for (index, column) in columns.enumerated() {
        if index > 0 { text += "," }
        if !column[row].isNaN { text += "\(column[row])" }
      }
      text += "\n"
    }
    return text
  }

  /// Returns a plot of a set.
  public func plotSVG(of set: StoredSet) throws -> String {
    let row = set.row
    let title = FigureTitle(
      exercise: row.exerciseName ?? row.exerciseId?.rawValue, recording: row.recordingName ?? "",
      setNumber: row.order + 1, unixTime: row.startTime?.timeIntervalSince1970,
      weight: row.weight, source: set.key)
    var note = "\(row.detectedReps ?? 0) reps"
    if let corrected = row.correctedReps { note += ", corrected by a person to \(corrected)" }
    return RecordingFigure(
      try history.timeline(ofSet: row.id), title: title, note: note
    ).svg()
  }
}
