/// The resolution at which reps are compared.
package struct ShapeResolution: Sendable, Hashable, Codable {
  /// Number of grid steps of a typical rep.
  package var stepsPerRep: Int
  /// Number of phases of a shape.
  package var phases: Int
}
