import Foundation
import MotionSynthesis
import Testing

/// Commands on histories with flipped or missing bytes: an error or the right answer.
/// `Tests/Kills/history_damage.py` does the same thousands of times.
struct HistoryDamageTests {
  private static let commands = [
    ["list", "--output", "ndjson"], ["changes"], ["workouts", "--output", "ndjson"],
    ["export", "--samples", "--output", "csv"], ["verify"],
  ]

  @Test func damageIsReportedOrHarmless() throws {
    let folder = try ScratchFolder()
    let store = folder.path("history.sqlite")
    let recording = try folder.writeCurls(reps: 6, to: "curls.csv")
    try #require(try ReptraceRun(["process", recording, "--store", store]).status == 0)
    let intact = try Data(contentsOf: URL(fileURLWithPath: store))
    let expected = try Self.commands.map {
      let run = try run($0, store)
      try #require(run.status == 0)
      return run.output
    }
    var generator = RandomSource(seed: 15)
    var noticed = 0
    for number in 0..<40 {
      var damaged = intact
      if number % 8 == 7 {
        damaged = damaged.prefix(Int(generator.next() % UInt64(damaged.count)))
      } else {
        damaged[Int(generator.next() % UInt64(damaged.count))] ^= 1 << UInt8(generator.next() % 8)
      }
      let index = number % Self.commands.count
      try damaged.write(to: URL(fileURLWithPath: store))
      let answer = try run(Self.commands[index], store)
      #expect((0...100).contains(answer.status), "\(number): \(answer.errors)")
      if answer.status == 0 {
        #expect(answer.output == expected[index], "\(number): \(Self.commands[index])")
      } else {
        noticed += 1
        #expect(
          answer.errors.contains(store) || !answer.output.isEmpty, "\(number): \(answer.errors)")
      }
    }
    #expect(noticed > 5)
  }

  private func run(_ command: [String], _ store: String) throws -> ReptraceRun {
    try ReptraceRun(["history", command[0], store] + command.dropFirst())
  }
}
