/// How finely reps are compared.
package struct ShapeResolution: Sendable, Hashable, Codable {
  /// Grid steps of a typical rep.
  package var stepsPerRep: Int
  /// Phases of a shape.
  package var phases: Int
}
