import RecordingInput
import Testing

@testable import Evaluation

@Suite struct LabeledSetTests {
  @Test func readsAllColumns() throws {
    let rows = try LabeledSet.parse(
      csv: """
        recording,exercise,start,end,reps,reps_low,reps_high,rep_times,certain
        a,curl,1.5,20,3,2,4,1.5-4;5-8.25;-0.5-20,yes
        "b, c",press,,,7,,,,no

        """)
    try #require(rows.count == 2)
    #expect(rows[0].recording == "a")
    #expect(rows[0].span == 1.5...20)
    #expect(rows[0].repRange == 2...4)
    #expect(rows[0].repTimes == [1.5...4, 5...8.25, -0.5...20])
    #expect(rows[1].recording == "b, c")
    #expect(rows[1].span == nil)
    #expect(rows[1].repRange == nil)
    #expect(rows[1].columns["certain"] == "no")
    #expect(rows[0].matches(["certain": ["yes"], "exercise": ["curl", "row"]]))
    #expect(!rows[1].matches(["certain": ["yes"]]))
    #expect(rows[1].line == 3)
  }

  @Test func activityReplacesAnEmptyExercise() throws {
    let rows = try LabeledSet.parse(csv: "recording,activity,reps\r\nx,Squat,10\r\n")
    #expect(rows.first?.exercise == "Squat")
  }

  @Test func emptyExercisesAreNil() throws {
    let rows = try LabeledSet.parse(
      csv: "recording,exercise,activity,reps\nx,,Squat,10\ny,curl,Squat,10\nz,,,10\n")
    #expect(rows.map(\.exercise) == ["Squat", "curl", nil])
  }

  @Test(arguments: [
    ("", 1, "header"),
    ("recording,count\nx,1", 1, "reps"),
    ("recording,reps\nx,many", 2, "number in reps"),
    ("recording,reps\nx,1.5", 2, "whole count"),
    ("recording,reps\nx,-1", 2, "whole count"),
    ("recording,reps\nx,1,2", 2, "2 fields"),
    ("recording,reps,start,end\nx,1,5,2", 2, "start before end"),
    ("recording,reps,start,end\nx,1,5,", 2, "both"),
    ("recording,reps,rep_times\nx,1,1;2", 2, "rep_times"),
    ("recording,reps\n,1", 2, "name"),
  ])
  func refusesWithLineAndExpectation(text: String, line: Int, expected: String) {
    #expect {
      try LabeledSet.parse(csv: text)
    } throws: { error in
      guard let error = error as? LabelError else { return false }
      return error.line == line && error.message.contains(expected)
    }
  }
}
