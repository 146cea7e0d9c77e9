import Foundation
import Motion
import Testing

@Suite struct MovementPatternTests {
  /// Returns a pattern as JSON with some members changed.
  private func json(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> Data {
    let phases = (0..<MovementPattern.phaseCount).map {
      MovementPattern.Phase(
        gravity: SIMD3(0, 0, -1), rotation: SIMD3(Float($0), 0, 0), userAcceleration: SIMD3())
    }
    let pattern = try #require(
      MovementPattern(phases: phases, durationSeconds: 2.5, similarity: 0.75, repCount: 8))
    let members = try JSONSerialization.jsonObject(with: JSONEncoder().encode(pattern))
    var changed = try #require(members as? [String: Any])
    change(&changed)
    return try JSONSerialization.data(withJSONObject: changed)
  }

  @Test func patternSurvivesCoding() throws {
    let pattern = try JSONDecoder().decode(MovementPattern.self, from: json())
    #expect(pattern.phases.count == MovementPattern.phaseCount)
    #expect(pattern.phases[3].rotation.x == 3)
    #expect(pattern.durationSeconds == 2.5 && pattern.similarity == 0.75 && pattern.repCount == 8)
  }

  /// Users of a pattern rely on the checks of its initializer.
  @Test func invalidPatternIsNotDecoded() throws {
    let wrong = [
      try json { $0["phases"] = [Any]() },
      try json { $0["durationSeconds"] = -1 }, try json { $0["repCount"] = 0 },
    ]
    for data in wrong {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(MovementPattern.self, from: data)
      }
    }
  }
}
