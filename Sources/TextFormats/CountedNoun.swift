/// A number with its noun, which takes an s unless there is exactly one: `1 rep`, `2 reps`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
