import Foundation
import TestSupport
import Testing

/// `docs/data-model.md` says of every entity, rule and flow which test fails without it.
struct DataModelPageTests {
  /// Every row names a test, and there is a test of that name.
  @Test func everyRowHasItsTest() throws {
    let page = try String(
      contentsOf: packageRoot.appendingPathComponent("docs/data-model.md"), encoding: .utf8)
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

  /// Suites, and functions that are marked as tests.
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
