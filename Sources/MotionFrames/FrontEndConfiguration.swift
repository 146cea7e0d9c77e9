/// The settings of the front end.
package struct FrontEndConfiguration: Sendable, Codable {
  /// Corner frequency of the low-pass on all channels, in Hz.
  package var cornerHz = 5.0
  /// Time constant with which the accelerometer corrects the direction of gravity, and with which the
  /// vertical velocity decays, in seconds.
  package var gravityTimeConstantSeconds = 2.0
  /// Time constant of the gravity correction without a gyroscope, in seconds.
  package var gravityTimeConstantWithoutGyroscopeSeconds = 0.5
  /// A sensor without a reading for this long, in seconds, is silent: nothing waits for it, and the wrist is
  /// assumed to be still.
  package var silentSensorSeconds = 0.5
  /// Maximum gap within a segment of signal, in seconds. A longer one ends the segment.
  package var longestGapSeconds = 10.0
  /// Rest that is added before the first sample and after the last, in seconds. For `slowingSeconds` of it,
  /// next to the samples, the wrist still moves and slows down evenly.
  package var restBeyondSignalSeconds = 2.0
  package var slowingSeconds = 0.4
  /// Number of successive samples older than the newest one after which the clock is assumed to have been set
  /// back.
  package var backwardTimesBeforeRestart = 50

  package init() {}
}
