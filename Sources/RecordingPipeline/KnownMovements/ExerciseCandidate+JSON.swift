import MovementAnalysis
import RepDetection
import TextFormats

extension ExerciseCandidate {
  /// The candidate as a JSON object: `name`, `exerciseId` where that is something else, `probability`,
  /// and `none`, the probability that it was no known exercise.
  package var json: String {
    JSONObjectText([
      "name": .text(name), "exerciseId": .text(exercise == name ? nil : exercise),
      "probability": .number(probability, decimals: 4),
      "none": .number(noneProbability, decimals: 4),
    ]).text
  }
}
