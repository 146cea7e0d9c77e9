import Foundation
import RepTrace

extension CounterWeights {
  /// Reads weights as written by tools/fit-counter: a JSON object with `score` and `gate` by name, and
  /// `temperature`. Missing weights keep their fitted values.
  init(ofFile path: String) throws {
    struct Text: Decodable {
      var score: [String: Float]?
      var temperature: Float?
      var gate: [String: Float]?
    }
    guard let data = FileManager.default.contents(atPath: path) else { throw Failure.unreadable }
    guard let text = try? JSONDecoder().decode(Text.self, from: data),
      text.score != nil || text.gate != nil || text.temperature != nil
    else { throw Failure.otherFile }
    for (named, known) in [(text.score, Self.scoreNames), (text.gate, Self.gateNames)] {
      if let other = named?.keys.sorted().first(where: { !known.contains($0) }) {
        throw Failure.otherName(other, known: known)
      }
    }
    self = .fitted
    for (i, name) in Self.scoreNames.enumerated() {
      if let weight = text.score?[name] { score[i] = weight }
    }
    for (i, name) in Self.gateNames.enumerated() {
      if let weight = text.gate?[name] { gate[i] = weight }
    }
    temperature = text.temperature ?? temperature
  }

  enum Failure: Error, CustomStringConvertible {
    case unreadable
    case otherFile
    case otherName(String, known: [String])

    var description: String {
      switch self {
      case .unreadable: "no such file, or not readable"
      case .otherFile:
        "no weights: expected a JSON object with score, gate and temperature, as tools/fit-counter writes it"
      case .otherName(let name, let known):
        "no weight is named \(name): expected \(known.joined(separator: ", "))"
      }
    }
  }
}
