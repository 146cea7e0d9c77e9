extension RecognitionWeights {
  /// Fitted to sets of one person, 17 exercises on seven days, each day told by the others; the half-life
  /// is chosen.
  static let fitted = RecognitionWeights(
    gravity: 2.32, posture: 7.55, speed: 0.114, steepness: 8.54, halfLifeDays: 20, none: 0.0757)
}
