/// Automatic titles of plans: "Workout A", …, "Workout Z", "Workout AA", …
enum AutomaticTitle {
  static func title(_ number: Int, prefix: String) -> String {
    var letters: [Character] = []
    var rest = number
    repeat {
      letters.append(Character(UnicodeScalar(UInt8(65 + rest % 26))))
      rest = rest / 26 - 1
    } while rest >= 0
    return "\(prefix) \(String(letters.reversed()))"
  }

  static func first(freeIn taken: Set<String>, prefix: String) -> String {
    var number = 0
    while taken.contains(title(number, prefix: prefix)) { number += 1 }
    return title(number, prefix: prefix)
  }
}
