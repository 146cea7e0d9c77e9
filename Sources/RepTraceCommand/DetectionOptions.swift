import ArgumentParser
import RepTrace

/// How readily movements are taken for sets.
struct DetectionOptions: ParsableArguments {
  static let usual = DetectorConfiguration().setProbability

  @Option(
    help: ArgumentHelp(
      """
      The probability from which movements are a set, between 0 and 1: a lower one finds more sets, \
      and more where there are none (docs/accuracy.md).
      """, valueName: "probability"))
  var setProbability = usual

  func validate() throws {
    guard (0...1).contains(setProbability) else {
      throw ValidationError("--set-probability is between 0 and 1")
    }
  }

  var detector: DetectorConfiguration {
    var detector = DetectorConfiguration()
    detector.setProbability = setProbability
    return detector
  }
}
