/// Returns a number with its noun, plural unless the number is 1: `1 rep`, `2 reps`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
