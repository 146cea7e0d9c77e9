import MovementAnalysis
import RepDetection
import TextFormats

extension ExerciseCandidate {
  /// The candidate as a JSON object: `name`, `exerciseId` if it differs from the name, `probability`, and
  /// `none`, the probability that the set was no known exercise.
  package var json: String {
    JSONObjectText([
      "name": .text(name), "exerciseId": .text(exercise == name ? nil : exercise),
      "probability": .number(probability, decimals: 4),
      "none": .number(noneProbability, decimals: 4),
    ]).text
  }
}
