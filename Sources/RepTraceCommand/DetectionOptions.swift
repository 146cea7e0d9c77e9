import ArgumentParser
import RepTrace

/// Options for the sensitivity of set detection.
struct DetectionOptions: ParsableArguments {
  static let usual = DetectorConfiguration().setProbability

  @Option(
    help: ArgumentHelp(
      """
      The probability from which movements are a set, between 0 and 1: a lower one finds more sets, \
      and more where there are none (docs/accuracy.md).
      """, valueName: "probability"))
  var setProbability = usual

  @Option(
    help: ArgumentHelp(
      """
      The fraction of repeated movements that are sets where the watch is worn, between 0 and 1: about half \
      in workouts, 0.05 over whole days.
      """, valueName: "fraction"))
  var setPrior = DetectorConfiguration().setPrior

  func validate() throws {
    try require(setPrior > 0 && setPrior < 1, "--set-prior is between 0 and 1")
    try require((0...1).contains(setProbability), "--set-probability is between 0 and 1")
  }

  var detector: DetectorConfiguration {
    var detector = DetectorConfiguration()
    detector.setProbability = setProbability
    detector.setPrior = setPrior
    return detector
  }
}
