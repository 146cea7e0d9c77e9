import Foundation
import RepTrace

extension CounterWeights {
  /// Weights as tools/fit-counter writes them: one JSON object with `score` and `gate` by name, and
  /// `temperature`. What is not named is as fitted.
  init(ofFile path: String) throws {
    struct Text: Decodable {
      var score: [String: Float]?
      var temperature: Float?
      var gate: [String: Float]?
    }
    let text = try JSONDecoder().decode(
      Text.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    self = .fitted
    for (i, name) in Self.scoreNames.enumerated() {
      if let weight = text.score?[name] { score[i] = weight }
    }
    for (i, name) in Self.gateNames.enumerated() {
      if let weight = text.gate?[name] { gate[i] = weight }
    }
    temperature = text.temperature ?? temperature
  }
}
