import Foundation
import Testing

/// Kills of a program while it makes a history. `Tests/Kills` does the same many times.
struct HistoryBirthTests {
  @Test func aKillAtBirthLeavesNothingOrAHistory() throws {
    let folder = try ScratchFolder()
    var generator = SystemRandomNumberGenerator()
    for round in 0..<30 {
      let store = folder.path("\(round).sqlite")
      let process = Process()
      process.executableURL = try ReptraceRun.executable()
      process.arguments = ["history", "rehearse", store, "--workouts", "50"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: Double.random(in: 0...0.08, using: &generator))
      // A reader that comes at the worst of moments.
      let reader = try? startReader(of: store)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      reader?.waitUntilExit()
      let list = try ReptraceRun(["history", "list", store])
      #expect(list.status == 0 || [65, 66].contains(list.status), "\(list.errors)")
      #expect(!list.errors.contains("not a history"), "\(list.errors)")
      let again = try ReptraceRun(["history", "rehearse", store, "--workouts", "1"])
      #expect(again.status == 0, "\(again.errors)")
      let verify = try ReptraceRun(["history", "verify", store])
      #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    }
  }

  private func startReader(of store: String) throws -> Process {
    let process = Process()
    process.executableURL = try ReptraceRun.executable()
    process.arguments = ["history", "list", store]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
