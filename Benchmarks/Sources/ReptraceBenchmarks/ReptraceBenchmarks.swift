import Foundation

/// Runs the contests, prints their tables, and writes a line of JSON for each.
///
///     ReptraceBenchmarks [--quick] [--json FILE] [GROUP…] [WORD…]
///
/// runs the groups named, or all of them, and of their contests those whose title has all words.
@main
struct ReptraceBenchmarks {
  static let groups: [(name: String, contests: @Sendable () throws -> [Contest])] = [
    ("decoding", DecodingContests.all),
    ("filters", FilterContests.all),
    ("detector", DetectorContests.all),
    ("blob", BlobContests.all),
    ("store", StoreContests.all),
  ]
  static let scaling = "scaling"
  static let cost = "cost"

  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var json: String?
    if let index = arguments.firstIndex(of: "--json"), index + 1 < arguments.count {
      json = arguments[index + 1]
      arguments.removeSubrange(index...index + 1)
    }
    let isQuick = arguments.contains("--quick")
    arguments.removeAll { $0 == "--quick" }
    let names = groups.map(\.name) + [scaling, cost]
    let wanted = arguments.filter { names.contains($0) }
    let words = arguments.filter { !names.contains($0) }
    func isWanted(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }
    var lines = ""
    for group in groups where isWanted(group.name) {
      for contest in try group.contests() where words.allSatisfy({ contest.title.contains($0) }) {
        var result = try contest.run(atMost: isQuick ? 2 : .max)
        result.group = group.name
        for line in result.lines { print(line) }
        print("")
        lines += try result.json() + "\n"
      }
    }
    if isWanted(scaling), words.isEmpty {
      for curve in try ScalingCurves.all(isQuick: isQuick) {
        for line in curve.lines { print(line) }
        print("")
        lines += try curve.json() + "\n"
      }
    }
    if isWanted(cost), words.isEmpty {
      for line in DetectionCost.report() { print(line) }
    }
    if let json { try Data(lines.utf8).write(to: URL(fileURLWithPath: json)) }
  }
}
