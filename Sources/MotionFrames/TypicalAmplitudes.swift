/// The amplitudes of a typical exercise, by which motion of different kinds is compared.
package struct TypicalAmplitudes: Sendable, Codable {
  package var gravityG = 0.35
  package var rotationRadPerS = 0.8
  package var accelerationG = 0.12
  /// Below this fraction of them (``MovementActivity``) the wrist is at rest, and nothing is a set or a rep.
  package var leastFraction: Float = 0.1

  package init() {}
}
