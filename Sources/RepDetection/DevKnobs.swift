import Glibc
enum DevKnobs {
  static let values: [String: Double] = {
    guard let text = getenv("RT_KNOBS") else { return [:] }
    var result: [String: Double] = [:]
    for part in String(cString: text).split(separator: ",") {
      let pair = part.split(separator: "=")
      if pair.count == 2 { result[String(pair[0])] = Double(pair[1]) }
    }
    return result
  }()
  static func get(_ name: String, _ usual: Double) -> Double { values[name] ?? usual }
}
