extension RecognitionWeights {
  /// Fitted on 86 sets of one person, 17 exercises on seven days, each day told by the others.
  static let fitted = RecognitionWeights(
    gravity: 12, acceleration: 3, posture: 34, speed: 4.7, steepness: 6, halfLifeDays: 25,
    none: 0.01)
}
