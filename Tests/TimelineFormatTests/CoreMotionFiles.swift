import Foundation
import Motion
import TestSupport

/// The full-precision recordings next to the package, if present.
enum CoreMotionFiles {
  static let folder = packageRoot.appendingPathComponent("../shared/datasets/coremotion")

  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".csv") }.sorted()
  }()

  /// Reads the columns of motion, which have the seed's names.
  static func read(_ name: String) throws -> MotionBatch {
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    var lines = text.split(whereSeparator: \.isNewline)
    let names = lines.removeFirst().split(separator: ",").map(String.init)
    var columns = [[Double]](repeating: [], count: names.count)
    for line in lines {
      for (index, cell) in line.split(separator: ",").enumerated() {
        columns[index].append(Double(cell) ?? .nan)
      }
    }
    let channels = Dictionary(uniqueKeysWithValues: MotionChannel.allCases.map { ($0.name, $0) })
    var named: [MotionChannel: [Double]] = [:]
    for (name, values) in zip(names, columns) {
      if let channel = channels[name] { named[channel] = values }
    }
    return MotionBatch(named)
  }
}
