import Foundation
import Motion
import MovementAnalysis
import Testing

@testable import RepDetection
@testable import Reports

@Suite struct ReportPageTests {
  /// 2026-11-24 18:00 UTC.
  private let start = 1_795_543_200.0

  private func set(
    _ exercise: String?, day: Int? = nil, weight: Double? = nil, reps: Int = 5, user: String? = nil,
    correctedReps: Int? = nil, notedReps: Int? = nil, confidence: Double = 0.97, number: Int = 1
  ) -> ReportPage.AnalyzedSet {
    let events = (0..<reps).map { index in
      CountedRep(start: Double(index) * 3, end: Double(index) * 3 + 2, confidence: 0.9)
    }
    let set = CountedSet(
      cause: .detected, start: 0, end: Double(reps) * 3, reps: events, confidence: confidence)
    return ReportPage.AnalyzedSet(
      title: FigureTitle(
        exercise: exercise, recording: "r", setNumber: number,
        unixTime: day.map { start + Double($0) * 86_400 + Double(number) * 60 }, weight: weight,
        user: user, source: "s#\(number)"),
      set: set, analysis: SetAnalyzer.analyze(set, samples: MotionBatch()),
      correctedReps: correctedReps, notedReps: notedReps)
  }

  private func page(_ sets: [ReportPage.AnalyzedSet]) throws -> ReportPage {
    ReportPage(title: "x", sets: sets, zone: try #require(TimeZone(secondsFromGMT: 0)))
  }

  private func groups(of page: ReportPage) -> [ReportPage.Group] {
    page.sections.lazy.compactMap { if case .groups(_, let groups) = $0 { groups } else { nil } }
      .first ?? []
  }

  private func table(_ title: String, of page: ReportPage) throws -> ReportPage.Table {
    try #require(
      page.sections.lazy.compactMap {
        if case .table(title, _, let table) = $0 { table } else { nil }
      }.first)
  }

  private func column(_ title: String, _ table: ReportPage.Table) throws -> [ReportPage.Table.Cell]
  {
    let index = try #require(table.columns.firstIndex { $0.title == title })
    return table.rows.map { $0.cells[index] }
  }

  private func chart(_ title: String, _ group: ReportPage.Group) throws -> ReportPage.Chart {
    try #require(group.charts.first { $0.title == title })
  }

  // MARK: Charts

  @Test func chartsOfSeveralDaysAreOverDates() throws {
    let group = try #require(
      groups(
        of: page([
          set("row", day: 0, weight: 60, reps: 8), set("row", day: 0, weight: 62.5, number: 2),
          set("row", day: 7, weight: 65, reps: 6), set("row", day: 7, weight: 65, number: 2),
        ])
      ).first)
    #expect(group.subtitle == "4 sets · 24 reps · 24 Nov to 1 Dec 2026")
    #expect(
      group.charts.map(\.title) == [
        "Heaviest weight", "Estimated one-rep maximum", "Best set volume", "Volume", "Reps",
        "Tempo", "Fatigue",
      ])
    let weight = try chart("Heaviest weight", group)
    #expect(weight.hasDates && weight.series.map { $0.line.map(\.y) } == [[62.5, 65]])
    #expect(weight.series[0].line[1].x - weight.series[0].line[0].x == 7)
    #expect(weight.latest == "65" && weight.change == "+2.5 kg since 24 Nov 2026")
    let maximum = try chart("Estimated one-rep maximum", group)
    #expect(maximum.note.contains("Epley: weight × (1 + reps ÷ 30)"))
    #expect(maximum.series[0].points.map { $0.y.rounded() } == [76, 78])
    #expect(try chart("Best set volume", group).series[0].points.map(\.y) == [480, 390])
    #expect(try chart("Volume", group).series[0].points.map(\.y) == [792.5, 715])
  }

  /// Reps at 60 kg and at 80 kg do not form a trend.
  @Test func repsLineConnectsSetsOfOneLoad() throws {
    let sets = [60.0, 80, 60, 80].enumerated().map {
      set("row", day: $0, weight: $1, reps: 10 - $0)
    }
    let group = try #require(groups(of: page(sets)).first)
    let reps = try chart("Reps", group)
    #expect(reps.series.map(\.name) == ["80 kg", "60 kg"])
    #expect(reps.series.map { $0.line.map(\.y) } == [[9, 7], [10, 8]])
    #expect(reps.note.contains("at one load"))
    #expect(try chart("Heaviest weight", group).note.contains("heaviest weight of each day"))
  }

  @Test func manyLoadsAreNotJoined() throws {
    let loads: [Double] = [50, 50, 55, 55, 60, 60, 65, 70, 75]
    let sets = loads.enumerated().map { set("row", day: $0, weight: $1) }
    let group = try #require(groups(of: page(sets)).first)
    let reps = try chart("Reps", group)
    #expect(reps.series.map(\.name) == ["60 kg", "55 kg", "50 kg", "other loads"])
    #expect(reps.series.last?.line.isEmpty == true && reps.series.last?.points.count == 3)
  }

  @Test func unknownLoadsAreNamed() throws {
    let group = try #require(groups(of: page([set("row", day: 0), set("row", day: 1)])).first)
    #expect(group.charts.map(\.title) == ["Reps", "Tempo", "Fatigue"])
    #expect(try chart("Reps", group).note.contains("the loads are not recorded"))
  }

  /// Regression: another person's sets were part of the line.
  @Test func setsOfTwoPeopleAreNotJoined() throws {
    let page = try page([
      set("row", day: 0), set("row", day: 0, user: "bob"), set("row", day: 1),
      set(nil, day: 0, user: "bob"), set("row", day: 1, user: "bob"), set(nil, day: 2, user: "bob"),
    ])
    let groups = groups(of: page)
    #expect(groups.map(\.title) == ["row", "row, bob", "Exercise not named, bob"])
    #expect(groups.map { $0.charts[0].series[0].points.count } == [2, 2, 2])
    #expect(groups[2].charts.allSatisfy { $0.series.allSatisfy(\.line.isEmpty) })
    #expect(try column("Person", table("All sets", of: page)).contains { $0.text == "bob" })
  }

  @Test func setsWithoutDatesAreChartedInOrder() throws {
    let group = try #require(
      groups(of: page([set("row", weight: 5), set("row", weight: 6)])).first)
    #expect(group.charts.map(\.title) == ["Weight", "Reps", "Tempo", "Fatigue"])
    #expect(group.charts.allSatisfy { !$0.hasDates })
    #expect(group.charts[0].series[0].points.map(\.x) == [1, 2])
    let mixed = try #require(
      groups(of: page([set("row", day: 0), set("row", day: 1), set("row")])).first)
    #expect(try chart("Reps", mixed).series[0].points.count == 2)
    #expect(try chart("Reps", mixed).note.hasSuffix("Not shown: 1 set without a date."))
  }

  // MARK: Counts

  @Test func correctedCountsReplaceDetectedOnes() throws {
    let page = try page([
      set("row", day: 0, weight: 10), set("row", day: 0, weight: 10, correctedReps: 25, number: 2),
    ])
    #expect(page.facts.contains { $0 == ("reps", "30") })
    #expect(page.facts.contains { $0 == ("volume", "300 kg") })
    #expect(page.facts.contains { $0 == ("counts corrected", "1") })
    let reps = try column("Reps", table("All sets", of: page))
    #expect(reps.map(\.text) == ["5", "25"] && reps.map(\.detail) == ["", "watch 5"])
    let records = try table("Personal records", of: page)
    #expect(try column("Est. 1RM", records).map(\.text) == ["18.3 kg"])
    #expect(try column("Most reps", records).map(\.text) == ["25 × 10 kg"])
  }

  @Test func recordsArePerPerson() throws {
    let page = try page([
      set("row", day: 0, weight: 60, reps: 5), set("row", day: 1, weight: 60, reps: 5),
      set("row", day: 2, weight: 50, reps: 12, confidence: 0.3),
      set("row", day: 0, weight: 90, user: "bob"),
    ])
    let records = try table("Personal records", of: page)
    #expect(try column("Exercise", records).map(\.detail) == ["", "bob"])
    let heaviest = try column("Heaviest", records)
    #expect(heaviest.map(\.text) == ["5 × 60 kg", "5 × 90 kg"])
    // The first of equal sets is the record.
    #expect(heaviest[0].detail == "24 Nov 2026")
    #expect(try column("Most reps", records)[0].detail == "26 Nov 2026, check the count")
  }

  @Test func doubtfulSetsComeFirst() throws {
    let page = try page([
      set("row", day: 0), set("curl", day: 0, confidence: 0.41),
      set("press", day: 0, reps: 8, correctedReps: 12), set("press", day: 1, correctedReps: 5),
      set("dip", day: 0, reps: 8, notedReps: 12), set("squat", day: 0, reps: 0),
    ])
    guard case .notices(_, let notices, let more)? = page.sections.first else {
      Issue.record("no notices")
      return
    }
    #expect(more == 0)
    #expect(notices.map(\.title) == ["squat", "dip", "curl", "press"])
    #expect(
      notices.map(\.reason) == [
        "No rep was found.", "The lifter noted 12, the watch counted 8.",
        "The watch counted 5 reps, confidence 41 %.", "Corrected from 8 to 12.",
      ])
    let rows = try table("All sets", of: page).rows
    #expect(notices.map { rows[$0.row].cells[1].text } == notices.map(\.title))
  }

  // MARK: All sets

  @Test func latestDayIsFirstAndItsSetsAreNumbered() throws {
    let page = try page([
      set("row", day: 0), set("row", day: 7), set("row", day: 7), set("row"),
    ])
    let table = try table("All sets", of: page)
    #expect(
      try column("Date", table).map(\.text) == ["1 Dec 2026", "1 Dec 2026", "24 Nov 2026", ""])
    #expect(try column("Set", table).map(\.text) == ["1", "2", "1", "1"])
  }

  @Test func recordingsWithoutASetHaveAReason() throws {
    let page = ReportPage(
      title: "x", sets: [],
      withoutSet: [
        (
          "a.csv",
          FigureWords.reason(withoutSet: [
            CandidateRejection(
              subject: .run, reason: .tooFewReps(count: 2, needed: 4), start: 0, end: 4,
              periodSeconds: 2)
          ])
        ), ("b.csv", FigureWords.reason(withoutSet: [])),
      ])
    let reasons = try column("Reason", table("Recordings without a set", of: page))
    #expect(
      reasons.map(\.text) == [
        "only 2 similar movements in a row; a set has at least 4", "no movement repeats",
      ])
  }

  @Test func unknownFiguresAreOmitted() throws {
    let page = try page([set("row"), set("row")])
    let titles = try table("All sets", of: page).columns.map(\.title)
    #expect(titles == ["Exercise", "Set", "Reps", "Confidence", "Tempo", "Fatigue", "Movement"])
    let html = page.html()
    #expect(html.contains(">fatigue<") && !html.contains(">consistency<"))
  }

  /// A label gives a day without a time; a set near midnight belongs to the day of its zone.
  @Test func daysFollowTheTimeZone() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 2 * 3600))
    let dates = ReportDates(zone: zone)
    #expect(dates.day(1_795_543_200 + 5 * 3600).map { ReportDates.text($0) } == "25 Nov 2026")
    #expect(dates.time(1_795_543_200 + 5 * 3600) == "01:00")
    #expect(dates.time(1_795_543_200 + 4.5 * 3600) == nil)
    #expect(dates.day(.nan) == nil && dates.time(1e300) == nil)
  }
}
