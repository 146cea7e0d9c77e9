import Foundation

/// Runs the contests, prints their tables, and writes a line of JSON for each.
///
///     ReptraceBenchmarks [--quick] [--json FILE] [--ours SECONDS] [GROUP…] [WORD…]
///
/// Runs the named groups, or all groups, and in them the contests whose titles contain all words. With
/// `--ours SECONDS`, only our side of those contests runs, repeatedly, for a profiler. Each contest has a
/// time budget, after which no further round begins.
@main
struct ReptraceBenchmarks {
  /// The groups, with the time budget of each of their contests in seconds, in a full and in a quick run.
  static let groups:
    [(name: String, budget: (Double, Double), contests: @Sendable (Bool) throws -> [Contest])] = [
      ("decoding", (12, 2), { _ in try DecodingContests.all() }),
      ("formats", (4, 0.4), { _ in try FormatContests.all() }),
      ("filters", (5, 1), { _ in try FilterContests.all() }),
      ("detector", (30, 6), DetectorContests.all),
      ("blob", (20, 3), { _ in try BlobContests.all() }),
      ("store", (12, 2), { _ in try StoreContests.all() }),
      ("floors", (5, 1), { _ in try FloorContests.all() }),
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
    var ours: Double?
    if let index = arguments.firstIndex(of: "--ours"), index + 1 < arguments.count {
      ours = Double(arguments[index + 1])
      arguments.removeSubrange(index...index + 1)
    }
    let isQuick = arguments.contains("--quick")
    arguments.removeAll { $0 == "--quick" }
    let names = groups.map(\.name) + [scaling, cost]
    let wanted = arguments.filter { names.contains($0) }
    let words = arguments.filter { !names.contains($0) }
    func isWanted(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }
    // Append line by line, so that an interrupted run leaves its finished results.
    if let json { try Data().write(to: URL(fileURLWithPath: json)) }
    let results = json.flatMap { FileHandle(forWritingAtPath: $0) }
    func write(_ line: String) throws { try results?.write(contentsOf: Data((line + "\n").utf8)) }
    for group in groups where isWanted(group.name) {
      for contest in try group.contests(isQuick)
      where words.allSatisfy({ contest.title.contains($0) }) {
        if let ours {
          print(try contest.runOurs(seconds: ours), contest.unit, separator: "\t")
          continue
        }
        var result = try contest.run(
          atMost: isQuick ? 2 : .max, budget: isQuick ? group.budget.1 : group.budget.0)
        result.group = group.name
        for line in result.lines { print(line) }
        print("")
        try write(result.json())
      }
    }
    if isWanted(scaling), words.isEmpty, ours == nil {
      for curve in try ScalingCurves.all(isQuick: isQuick) {
        for line in curve.lines { print(line) }
        print("")
        try write(curve.json())
      }
    }
    if isWanted(cost), words.isEmpty, ours == nil {
      let table = DetectionCost.report()
      for line in table.lines { print(line) }
      try write(table.json())
    }
  }
}
