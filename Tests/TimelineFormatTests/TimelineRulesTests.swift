import Foundation
import TestSupport
import Testing

@testable import TimelineFormat

/// Violations that readers must reject, made by changing bytes of the worked example on the format page.
struct TimelineRulesTests {
  private struct Samples {
    var head: [UInt8] = [4, 0, 0, 0, 0, 0x80, 0x40]
    var channels: [UInt8] = [3, 0, 0, 4, 0, 9, 0]
    var codecs: [UInt8] = [7, 9, 7, 10, 1, 8]
    var time: [UInt8] = [0x12, 2, 0, 0xD0, 0x0F, 0, 0x07, 0x3C, 0]
    var rotation: [UInt8] = [0x12, 2, 0, 0x32, 0, 0x17, 0x10, 0xFC, 0x3F, 0]
    var gravity: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF0, 0xBF]
    var rest: [UInt8] = []

    var bytes: [UInt8] { head + channels + codecs + time + rotation + gravity + rest }
  }

  private static func samples(_ change: (inout Samples) -> Void = { _ in }) -> TimelineSection {
    var samples = Samples()
    change(&samples)
    return TimelineSection(type: .samples, payload: samples.bytes)
  }

  /// Returns the samples with another time column, of any length.
  private static func time(_ bytes: [UInt8]) -> TimelineSection {
    samples {
      $0.time = bytes
      $0.codecs[1] = UInt8(bytes.count)
    }
  }

  private static let zeros = [UInt8](repeating: 0, count: 8)

  private static let right: [TimelineSection] = [
    samples(), TimelineSection(type: .phases, payload: [1, 0, 0, 4]),
    TimelineSection(type: .countedSet, payload: [1] + zeros + zeros + zeros + [0, 0]),
    TimelineSection(type: .identity, payload: [4, 0, 1, 0x61]),
  ]

  private static let wrong: [(String, TimelineSection)] = [
    ("a number longer than its shortest form", samples { $0.head[0...0] = [0x84, 0] }),
    ("another clock", samples { $0.head[1] = 2 }),
    ("another unit of time", samples { $0.head[2] = 4 }),
    ("spare bits of the units", samples { $0.head[3] = 0x20 }),
    ("another precision", samples { $0.head[4] = 3 }),
    ("no rows a block", samples { $0.head[5...] = [0] }),
    ("65,537 rows a block", samples { $0.head[5...] = [0x81, 0x80, 4] }),
    ("channels out of order", samples { $0.channels = [3, 0, 0, 9, 0, 4, 0] }),
    ("a channel twice", samples { $0.channels = [3, 0, 0, 4, 0, 4, 0] }),
    ("no times", samples { $0.channels = [3, 1, 0, 4, 0, 9, 0] }),
    ("spare flags of a channel", samples { $0.channels[2] = 2 }),
    ("bytes behind the samples", samples { $0.rest = [0] }),
    (
      "a parameter of 57",
      time([0x12, 2, 0, 0xD0, 0x0F, 0, 0xCF, 1] + [UInt8](repeating: 0, count: 29))
    ),
    ("a quotient of 21", time(Samples().time[..<6] + [7, 0xFE, 0xFF, 0x3F, 0])),
    (
      "an escape of 63 bits above two low ones",
      time(Samples().time[..<6] + [0x17, 0, 0xFE, 0xFF, 0x1F, 0x7C] + zeros)
    ),
    ("residuals that are not filled up with zeros", samples { $0.time[8] = 0x80 }),
    ("residuals that end before their bytes", time(Samples().time + [0])),
    ("another predictor", samples { $0.time[1] = 6 }),
    ("the predictor of the attitude for times", samples { $0.time[1] = 5 }),
    (
      "a modulus above 2^60",
      time([0x12, 2, 0x81] + [UInt8](repeating: 0x80, count: 7) + [0x10] + Samples().time[3...])
    ),
    (
      "an exception behind the last row",
      time(Samples().time[..<5] + [1, 4] + zeros + Samples().time[6...])
    ),
    ("another scale", samples { $0.time[0] = 0x20 }),
    ("a scale of zero", time([0] + zeros + Samples().time[1...])),
    (
      "another width of floats",
      samples {
        $0.gravity = [2, 0, 0, 0, 0, 0, 0, 0]
        $0.codecs[4] = 8
      }
    ),
    (
      "gravity derived from no attitude",
      samples {
        $0.gravity = [0, 0]
        $0.codecs[4...] = [5, 2]
      }
    ),
    (
      "a constant of seven bytes",
      samples {
        $0.gravity.removeLast()
        $0.codecs[5] = 7
      }
    ),
    (
      "a match of LZ4 with offset 0",
      samples {
        $0.gravity = [0x1A, 0, 0, 0, 0xF0, 2] + [UInt8](repeating: 0, count: 17)
        $0.codecs[4...] = [2, 23]
      }
    ),
    (
      "raw values of another length",
      samples { $0.codecs[4] = 0 }
    ),
    ("a span past the last sample", TimelineSection(type: .phases, payload: [1, 0, 0, 5])),
    ("another phase", TimelineSection(type: .phases, payload: [1, 2, 0, 4])),
    ("bytes behind the phases", TimelineSection(type: .phases, payload: [1, 0, 0, 4, 0])),
    (
      "another cause",
      TimelineSection(type: .countedSet, payload: [2] + zeros + zeros + zeros + [0, 0])
    ),
    (
      "half a rep in the movement curve",
      TimelineSection(
        type: .movementCurve,
        payload: [1, 1, 8] + zeros + [1, 8] + zeros + [1, 8, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F])
    ),
    ("spare bits of the identity", TimelineSection(type: .identity, payload: [0x10])),
    ("another kind of id", TimelineSection(type: .identity, payload: [4, 3, 1, 0x61])),
    ("a section of type 0", TimelineSection(type: TimelineSectionType(rawValue: 0), payload: [])),
  ]

  /// Returns a timeline with one section replaced.
  private static func blob(_ section: TimelineSection) throws -> [UInt8] {
    try TimelineContainer.serialize(right.filter { $0.type != section.type } + [section])
  }

  @Test func valuesOutOfRangeAreRejected() throws {
    _ = try TimelineDecoder().decode(Self.blob(Self.right[0]))
    for (name, section) in Self.wrong {
      #expect(throws: TimelineError.self, "\(name)") {
        try TimelineDecoder().decode(Self.blob(section))
      }
    }
  }

  @Test(.enabled(if: hasNumPy, "needs python3 with numpy"))
  func pythonReaderRejectsThem() throws {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for (index, section) in ([Self.right[0]] + Self.wrong.map(\.1)).enumerated() {
      paths.append(folder.path("\(index).blob"))
      try Data(Self.blob(section)).write(to: URL(fileURLWithPath: paths[index]))
    }
    let summaries = try PythonReader.summary(paths)
    #expect(summaries[1] != "refused")
    for (index, (name, _)) in Self.wrong.enumerated() {
      let start = try #require(summaries.firstIndex(of: "= \(paths[index + 1])"))
      #expect(summaries[start + 1] == "refused", "\(name)")
    }
  }
}
