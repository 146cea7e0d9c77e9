/// Runs the contests and prints their tables.
@main
struct ReptraceBenchmarks {
  static func main() throws {
    for contest in [ChunkDecodingContest.keysInOrder(), ChunkDecodingContest.keysShuffled()] {
      for line in try contest.report() { print(line) }
      print("")
    }
  }
}
