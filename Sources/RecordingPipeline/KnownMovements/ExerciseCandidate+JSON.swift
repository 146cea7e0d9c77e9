import MovementAnalysis
import RepDetection
import TextFormats

extension ExerciseCandidate {
  /// The candidate as a JSON object: `name`, `exerciseId` where that is something else, `probability`,
  /// and `none`, the probability that it was no known exercise.
  package var json: String {
    var object = JSONObjectText()
    object.add("name", name)
    if exercise != name { object.add("exerciseId", exercise) }
    object.add("probability", probability, decimals: 4)
    object.add("none", noneProbability, decimals: 4)
    return object.text
  }
}
