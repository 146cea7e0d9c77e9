import Foundation
import TestSupport
import Testing

/// Checks that `docs/research/data-model-sources.md` names a test for every entity, rule and flow.
struct DataModelPageTests {
  /// Every row names an existing test.
  @Test func everyRowHasItsTest() throws {
    let page = try String(
      contentsOf: packageRoot.appendingPathComponent("docs/research/data-model-sources.md"),
      encoding: .utf8)
    let known = try Self.namesOfTests()
    var rows = 0
    for line in page.split(separator: "\n") where line.hasPrefix("|") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[2] != "test", !cells[2].hasPrefix("---") else { continue }
      rows += 1
      for name in cells[2].components(separatedBy: ", ") {
        if name.hasPrefix("Tests/") {
          let folder = packageRoot.appendingPathComponent(name)
          #expect(FileManager.default.fileExists(atPath: folder.path), "\(name)")
        } else {
          for part in name.split(separator: ".") {
            #expect(known.contains(String(part)), "\(name), of: \(cells[0])")
          }
        }
      }
    }
    #expect(rows > 50)
  }

  /// Returns the names of suites and of test functions.
  private static func namesOfTests() throws -> Set<String> {
    var names: Set<String> = []
    let files = FileManager.default.enumerator(
      at: packageRoot.appendingPathComponent("Tests/WorkoutHistoryTests"),
      includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      names.insert(file.deletingPathExtension().lastPathComponent)
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /@Test(\(.*?\)\)?)?\s+func (\w+)\(/.dotMatchesNewlines()) {
        names.insert(String(match.2))
      }
    }
    return names
  }
}
