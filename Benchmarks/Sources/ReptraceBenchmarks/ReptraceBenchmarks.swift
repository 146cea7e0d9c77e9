import Foundation

/// Runs the contests, prints their tables, and writes a line of JSON for each.
///
///     ReptraceBenchmarks [--json FILE] [--repetitions N] [GROUP…] [WORD…]
///
/// runs the groups named, or all of them, and of their contests those whose title has all words.
@main
struct ReptraceBenchmarks {
  static let groups: [(name: String, contests: () throws -> [Contest])] = [
    ("decoding", DecodingContests.all),
    ("blob", BlobContests.all),
  ]

  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    func option(_ name: String) -> String? {
      guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
        return nil
      }
      defer { arguments.removeSubrange(index...index + 1) }
      return arguments[index + 1]
    }
    let json = option("--json")
    let limit = option("--repetitions").flatMap { Int($0) } ?? .max
    let names = Set(groups.map(\.name))
    let wanted = arguments.filter { names.contains($0) }
    let words = arguments.filter { !names.contains($0) }
    var lines = ""
    for group in groups where wanted.isEmpty || wanted.contains(group.name) {
      for contest in try group.contests() where words.allSatisfy({ contest.title.contains($0) }) {
        var result = try contest.run(atMost: limit)
        result.group = group.name
        for line in result.lines { print(line) }
        print("")
        lines += try result.json() + "\n"
      }
    }
    if let json { try Data(lines.utf8).write(to: URL(fileURLWithPath: json)) }
  }
}
