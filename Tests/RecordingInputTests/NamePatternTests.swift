import Motion
import Testing

@testable import RecordingInput

@Suite struct NamePatternTests {
  @Test func parsesTheFieldsOfAName() throws {
    let pattern = try NamePattern("{date}_{exercise}_W{weight}_S{set}_R{reps}")
    let label = try #require(pattern.label(of: "241124_IDBC_W7_5_S2_R11"))
    #expect(label.exercise == "IDBC")
    #expect(label.weight == 7.5)
    #expect(label.set == 2)
    #expect(label.reps == 11)
    #expect(pattern.label(of: "100125_NGCR_W45_S3_R12")?.weight == 45)
    #expect(pattern.label(of: "curls") == nil)
    #expect(pattern.label(of: "241124_IDBC_W7_5_S2_R11_more") == nil)
    #expect(pattern.label(of: "") == nil)
  }

  /// `011224` may be 2024-12-01 or 2001-12-24; the other names decide.
  @Test func allNamesTogetherDetermineTheDateFormat() throws {
    var labels = RecordingLabels()
    labels.pattern = try NamePattern("{date}_{exercise}")
    let names = ["011224_A", "241124_B", "100125_C", "040125_D", "310125_E"]
    let resolved = try labels.resolved(for: names)
    let days = names.map { (resolved.label(ofRecording: "x/\($0).csv").date ?? 0) / 86_400 }
    // 2024-12-01, 2024-11-24, 2025-01-10, 2025-01-04 and 2025-01-31; 2031-01-25 is in the future.
    #expect(days == [20_058, 20_051, 20_098, 20_092, 20_119])
    let told = try NamePattern("{date:yymmdd}_{exercise}")
    #expect(told.label(of: "011224_A")?.date == 1_009_152_000)
  }

  /// Regression: the 26th of November 2024 was silently stored as the 24th of November 2026.
  @Test func ambiguousDatesAreNotGuessed() throws {
    var labels = RecordingLabels()
    labels.pattern = try NamePattern("{date}_{exercise}")
    let failure = #expect(throws: NamePattern.Failure.self) {
      try labels.resolved(for: ["261124_A", "051024_B"])
    }
    #expect(failure?.description.contains("{date:ddmmyy} or {date:yymmdd}") == true)
    #expect(throws: NamePattern.Failure.self) {
      try labels.resolved(for: ["241124_A", "2024-11-25_B"])
    }
    // Both formats give the same day.
    #expect(try labels.resolved(for: ["241124_A"]).label(ofRecording: "241124_A").date != nil)
    labels.pattern = try NamePattern("{date:ddmmyy}_{exercise}")
    #expect(
      try labels.resolved(for: ["261124_A"]).label(ofRecording: "261124_A").date == 1_732_579_200)
  }

  @Test func patternsWithoutMatchAreErrors() throws {
    var labels = RecordingLabels()
    labels.pattern = try NamePattern("{date}_{exercise}")
    #expect(throws: NamePattern.Failure.self) { try labels.resolved(for: ["a/curls.csv"]) }
    #expect(labels.isMisnamed("a/curls.csv") && !labels.isMisnamed("a/241124_A.csv"))
  }

  @Test func allRowsTogetherDetermineTheDateFormat() throws {
    let table = try RecordingLabels.table(
      csv: "recording;date;weight\na;26112024;7,5\nb;05102024;10\n")
    #expect(table["a"]?.date == 1_732_579_200 && table["a"]?.weight == 7.5)
    #expect(throws: LabelError.self) {
      try RecordingLabels.table(csv: "recording,date\na,261124\nb,051024\n")
    }
  }

  @Test func parsesOtherConventions() throws {
    let pattern = try NamePattern("{exercise}-{user}-S{set}-{date}")
    let name = "Walking-P5-S2-1624366548661"
    let label = try #require(pattern.resolved(for: [name]).label(of: name))
    #expect(label.exercise == "Walking")
    #expect(label.user == "P5")
    #expect(label.set == 2)
    #expect(label.date == 1_624_366_548.661)
    let any = try NamePattern("{any}_{exercise}")
    #expect(any.label(of: "x_curl")?.exercise == "curl")
  }

  @Test(arguments: [
    "", "plain", "{", "{exercise", "{exercise}{set}", "{what}", "{set}_{set}", "{set:iso}",
    "{date:never}",
  ])
  func invalidPatternsAreRejected(_ text: String) {
    #expect(throws: NamePattern.Failure.self) { try NamePattern(text) }
  }

  @Test func longNamesParseQuickly() throws {
    let pattern = try NamePattern("{any}_{exercise}_{user}_W{weight}")
    #expect(pattern.label(of: String(repeating: "_a", count: 2000)) == nil)
  }

  @Test(arguments: [
    ("2026-11-22", 1_795_305_600.0), ("2026-11-22 10:00", 1_795_341_600),
    ("2026-11-22T10:00:00+02:00", 1_795_334_400), ("2026-11-22T10:00:00.5Z", 1_795_341_600.5),
    ("2026-11-22T18:30Z", 1_795_372_200), ("2026-11-22T18:30+02:00", 1_795_365_000),
    ("2026-11-22 18.30", 1_795_372_200), ("2026-11-22T18-30-05", 1_795_372_205),
    ("2026-11-22T183005Z", 1_795_372_205), ("2026-11-22T18305", nil), ("2026-11-2291830", nil),
    ("2026-1-11 02:00", nil), ("2026-02-30", nil), ("2026-11-22 noon", nil),
  ])
  func datesOfTables(_ text: String, _ expected: Double?) {
    #expect(LabelDate.unixTime(text, as: .iso) == expected)
  }

  @Test func timesInNamesMayOmitColons() throws {
    let pattern = try NamePattern("{date}_{exercise}")
    for time in ["T18-30-00", "T183000", " 18.30", "T1830Z"] {
      let name = "2024-11-22\(time)_curl"
      let label = try pattern.resolved(for: [name]).label(of: name)
      #expect(label == RecordingLabel(exercise: "curl", date: 1_732_300_200), "\(time)")
    }
  }

  /// The date belongs to the recording's first sample; its other parts start later.
  @Test func datePartsAreMatchedByPosition() {
    let label = RecordingLabel(date: 1_795_305_600)
    let dates = [1000.0, 1060].map { start in
      label.applied(
        to: Recording(
          name: "x", samples: MotionBatch([.time: [start], .rotationRateX: [1]])), origin: 1000
      ).unixTimeOfFirstSample
    }
    #expect(dates == [1_795_305_600, 1_795_305_660])
  }

  /// A recording may be named with or without its file extensions.
  @Test(arguments: [
    ("a/x.csv", ["x.csv", "x"]), ("x.csv.gz", ["x.csv.gz", "x.csv", "x"]),
    ("x.frames", ["x.frames", "x"]), ("x.motiondata", ["x.motiondata", "x"]),
    ("a/bench W12.5", ["bench W12.5", "bench W12"]),
    ("2026.11.22.txt", ["2026.11.22.txt", "2026.11.22"]),
    ("a.b/.csv", [".csv"]),
  ]) func namesOfARecording(path: String, names: [String]) throws {
    #expect(RecordingLabels.names(ofRecording: path) == names)
    for name in names {
      var labels = RecordingLabels()
      labels.table = try RecordingLabels.table(csv: "recording,reps\n\(name),7\n")
      #expect(labels.label(ofRecording: path).reps == 7)
    }
  }

  /// A folder's name may have a dot in it.
  @Test(arguments: [
    ("a/push.ups", "push.ups"), ("a/bench W12.5", "bench W12.5"), ("a/curl.csv.gz", "curl"),
    ("2026.11.22", "2026.11.22"),
  ])
  func patternIgnoresTheFileExtension(path: String, exercise: String) throws {
    var labels = RecordingLabels()
    labels.pattern = try NamePattern("{exercise}")
    #expect(labels.label(ofRecording: path).exercise == exercise)
    // An unknown extension is removed if the pattern matches only without it.
    labels.pattern = try NamePattern("{exercise}_S{set}")
    #expect(labels.label(ofRecording: "curl_S2.motiondata").set == 2)
  }

  @Test func readsLabelTables() throws {
    let table = try RecordingLabels.table(
      csv: "recording,activity,user,date,weight\na,curl,anna,2026-11-22,12.5\nb,,,,\n")
    #expect(table["a"]?.exercise == "curl")
    #expect(table["a"]?.weight == 12.5)
    #expect(table["a"]?.date == 1_795_305_600)
    #expect(table["b"]?.isEmpty == true)
    #expect(throws: LabelError.self) { try RecordingLabels.table(csv: "recording,weight\na,x\n") }
    #expect(throws: LabelError.self) { try RecordingLabels.table(csv: "name\na\n") }
  }
}
