import Foundation
import GRDB
import TestSupport
import Testing

/// Input in a page must never run as code, wherever it appears.
@Suite struct HostilePagesTests {
  /// Attacks on text, attributes, URLs, styles, scripts, comments and XML sections.
  private static let texts = [
    "</script><script>alert(1)</script>", "\"><svg onload=alert(1)>", "' onmouseover='alert(1)",
    "javascript:alert(1)", "</style><script>alert(1)</script>", "]]><script>alert(1)</script>",
    "--><img src=x onerror=alert(1)>", "&lt;script&gt;alert(1)&lt;/script&gt;",
    "</title></svg><iframe src=javascript:alert(1)>", "${alert(1)}\u{2028}`alert(1)`",
  ]

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func hostileNamesLabelsAndTitlesAreEscaped() throws {
    for (index, text) in Self.texts.enumerated() {
      let name = text.replacing("/", with: "⁄")
      let recording = try folder.writeCurls(reps: 4, to: "\(index)/\(name).csv")
      let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
      let exercise = "\"" + text.replacing("\"", with: "\"\"") + "\""
      let labels = try folder.write(
        "recording,reps,exercise\n\(quoted),7,\(exercise)\n", to: "\(index)-labels.csv")
      try checkPages([
        ["plot", recording], ["report", recording, "--title=" + text],
        ["report", "--labels", labels, "--recordings", folder.path("\(index)"), "--title=" + text],
      ])
    }
  }

  @Test func hostileIdsMetadataAndRowsAreEscaped() throws {
    let store = folder.path("history.sqlite")
    let rows = ProcessCommandTests.curls(reps: 4).split(separator: "\n")
    let columns = rows[0].split(separator: ",")
    for (index, text) in Self.texts.enumerated() {
      let samples = rows.dropFirst().map { row in
        Dictionary(
          uniqueKeysWithValues: zip(
            columns.map(String.init), row.split(separator: ",").compactMap { Double($0) }))
      }
      let chunk: [String: Any] = [
        "sessionId": text, "exerciseId": text, "setId": text, "phase": text,
        "metadata": ["note": text, "deviceId": text, "startTime": text], "chunkId": text,
        "samples": samples,
      ]
      let data = try JSONSerialization.data(withJSONObject: chunk)
      let path = try folder.write(String(decoding: data, as: UTF8.self), to: "chunks-\(index).json")
      try #require(try ReptraceRun(["process", path, "--store", store]).status == 0)
      try checkPages([["plot", path], ["report", path]])
    }
    try nameExercises(in: store)
    try checkPages([["report", store]])
    for number in 1...Self.texts.count { try checkPages([["plot", "\(store)#\(number)"]]) }
  }

  /// Writes exercise names into the history, like a plan.
  private func nameExercises(in store: String) throws {
    try DatabaseQueue(path: store).write { db in
      let rows = try Int64.fetchAll(db, sql: "SELECT id FROM workout_exercise ORDER BY id")
      try #require(rows.count == Self.texts.count)
      for (row, text) in zip(rows, Self.texts) {
        try db.execute(
          sql: "UPDATE workout_exercise SET name = ?, checksum = NULL WHERE id = ?",
          arguments: [text, row])
      }
    }
  }

  /// Runs commands that write a page, and a picture if possible, and checks all tags.
  private func checkPages(_ commands: [[String]]) throws {
    for arguments in commands {
      for ending in arguments[0] == "plot" ? ["html", "svg"] : ["html"] {
        let output = folder.path("page.\(ending)")
        let run = try ReptraceRun(arguments + ["-o", output])
        try #require(run.status == 0, "\(run.errors)")
        let page = try String(contentsOfFile: output, encoding: .utf8)
        #expect(page.contains("alert"), "\(arguments): the text is shown")
        let problems = pageProblems(page)
        #expect(problems.isEmpty, "\(arguments): \(problems)")
      }
    }
  }

  @Test func theCheckDetectsAttacks() {
    for page in [
      "<p onclick=alert(1)>", "<img src=x>", "<a>", "<rect href='javascript:alert(1)'/>",
      "<style>a{}alert</style>",
    ] {
      #expect(!pageProblems(page).isEmpty, "\(page)")
    }
    #expect(pageProblems("<p title=\"a onclick=b\">&lt;img onload=x&gt;</p>").isEmpty)
  }
}
