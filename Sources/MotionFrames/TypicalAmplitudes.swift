/// The amplitudes of a typical exercise, which make different kinds of motion comparable.
package struct TypicalAmplitudes: Sendable, Codable {
  package var gravityG = 0.35
  package var rotationRadPerS = 0.8
  package var accelerationG = 0.12
  /// Activity (``MovementActivity``) below which the wrist is at rest, and nothing is a set or a rep.
  package var leastFraction: Float = 0.1

  package init() {}
}
