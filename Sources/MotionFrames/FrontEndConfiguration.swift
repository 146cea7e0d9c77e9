/// The settings of the front end.
package struct FrontEndConfiguration: Sendable, Codable {
  /// Corner frequency of the low-pass on all channels, in Hz.
  package var cornerHz = 5.0
  /// Time constant with which the accelerometer corrects the direction of gravity, and of the leak of the
  /// vertical velocity, in seconds.
  package var gravityTimeConstantSeconds = 2.0
  /// Time constant of the gravity correction without a gyroscope, in seconds.
  package var gravityTimeConstantWithoutGyroscopeSeconds = 0.5
  /// Time without a reading after which a sensor is silent, in seconds. Other sensors no longer wait for it,
  /// and its motion is assumed to be zero.
  package var silentSensorSeconds = 0.5
  /// Maximum gap within a segment of signal, in seconds. A longer one ends the segment.
  package var longestGapSeconds = 10.0
  /// Rest that is added before the first sample and after the last, in seconds. Next to the samples, for
  /// `slowingSeconds`, the wrist still moves and slows down linearly.
  package var restBeyondSignalSeconds = 2.0
  package var slowingSeconds = 0.4
  /// Number of successive samples older than the newest one after which the clock is assumed to have been set
  /// back.
  package var backwardTimesBeforeRestart = 50

  package init() {}
}
