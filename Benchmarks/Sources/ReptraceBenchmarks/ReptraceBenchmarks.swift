/// Runs the contests and prints their tables.
///
///     ReptraceBenchmarks [WORD…]
///
/// runs those whose title has all the words, or all of them.
@main
struct ReptraceBenchmarks {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    let contests = try DecodingContests.all()
    for contest in contests where words.allSatisfy({ contest.title.contains($0) }) {
      for line in try contest.report() { print(line) }
      print("")
    }
    if words.allSatisfy({ DetectionCost.title.contains($0) }) {
      for line in DetectionCost.report() { print(line) }
    }
  }
}
