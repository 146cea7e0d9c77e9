/// How finely reps are compared.
public struct ShapeResolution: Sendable, Hashable {
  /// Grid steps of a typical rep.
  public var stepsPerRep: Int
  /// Phases of a shape.
  public var phases: Int
  /// Groups of four components.
  public var groups: Int

  public init(stepsPerRep: Int, phases: Int, groups: Int) {
    self.stepsPerRep = stepsPerRep
    self.phases = phases
    self.groups = groups
  }
}
