import Testing
@testable import WorkoutHistory
@Suite struct TmpFP { @Test func fp() throws {
  print("FP", try HistorySchema.expected(after: Set(HistoryMigrations.steps.map(\.name))).fingerprint)
} }
