import Foundation
import Testing

@testable import ChunkDecoding

/// All files of the public JSON parsing test suite.
@Suite struct JSONTestSuiteTests {
  /// A file of the suite.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var testDescription: String { name }
  }

  private struct StoredCase: Decodable {
    var text: String?
    var base64: Data?
    var `repeat`: String?
    var times: Int?
    var then: String?

    var bytes: [UInt8] {
      if let base64 { return [UInt8](base64) }
      if let unit = self.repeat {
        return Array((String(repeating: unit, count: times ?? 0) + (then ?? "")).utf8)
      }
      return Array((text ?? "").utf8)
    }
  }

  private static func cases(_ prefix: String) -> [Case] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "JSONTestSuite/cases.json")
    guard let data = try? Data(contentsOf: file),
      let stored = try? JSONDecoder().decode([String: StoredCase].self, from: data)
    else { return [] }
    return stored.filter { $0.key.hasPrefix(prefix) }.map {
      Case(name: $0.key, bytes: $0.value.bytes)
    }
    .sorted { $0.name < $1.name }
  }

  static let valid = cases("y_")
  static let invalid = cases("n_")
  static let undecided = cases("i_")

  @Test func suiteIsComplete() {
    #expect(Self.valid.count == 95)
    #expect(Self.invalid.count == 188)
    #expect(Self.undecided.count == 35)
  }

  private func refusal(_ bytes: [UInt8]) -> DecodingFailure? {
    do throws(DecodingFailure) {
      _ = try RecordingDecoder.decode(bytes, fileName: "x.json")
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: valid) func otherValidJSONIsNotAChunk(_ file: Case) throws {
    guard let failure = refusal(file.bytes) else {
      // A chunk without samples.
      #expect(["y_array_empty.json", "y_structure_whitespace_array.json"].contains(file.name))
      return
    }
    #expect(failure.kind == .notAChunk, "\(failure)")
  }

  @Test(arguments: invalid) func invalidJSONIsRejected(_ file: Case) throws {
    let failure = try #require(refusal(file.bytes))
    switch file.name {
    case "n_structure_no_data.json", "n_single_space.json", "n_structure_UTF8_BOM_no_data.json":
      #expect(failure.kind == .empty)
    case "n_structure_100000_opening_arrays.json", "n_structure_open_array_object.json":
      #expect(failure.kind == .limitExceeded)
    default:
      #expect([.invalidJSON, .truncated].contains(failure.kind), "\(failure)")
    }
    #expect(failure.byteOffset.map { (0...file.bytes.count).contains($0) } ?? true)
    #expect(!failure.message.isEmpty)
  }

  @Test(arguments: undecided) func undefinedCasesHaveADefinedResult(_ file: Case) throws {
    let failure = try #require(refusal(file.bytes))
    let expected: DecodingFailure.Kind =
      switch file.name {
      // Not UTF-8.
      case "i_string_UTF-16LE_with_BOM.json", "i_string_utf16BE_no_BOM.json",
        "i_string_utf16LE_no_BOM.json":
        .unsupportedEncoding
      case "i_string_UTF-8_invalid_sequence.json", "i_string_UTF8_surrogate_U+D800.json",
        "i_string_invalid_utf-8.json", "i_string_iso_latin_1.json",
        "i_string_lone_utf8_continuation_byte.json", "i_string_not_in_unicode_range.json",
        "i_string_overlong_sequence_2_bytes.json", "i_string_overlong_sequence_6_bytes.json",
        "i_string_overlong_sequence_6_bytes_null.json", "i_string_truncated-utf-8.json":
        .invalidJSON
      case "i_structure_500_nested_arrays.json": .limitExceeded
      // Large numbers, lone surrogates and a byte order mark are JSON here.
      default: .notAChunk
      }
    #expect(failure.kind == expected, "\(failure)")
  }

  /// Uses the texts as the value of an unknown key, which is skipped but still validated.
  @Test(arguments: valid + invalid) func skippedValuesAreCheckedToo(_ file: Case) {
    let head = Array(#"{"samples":[{"timestamp":1,"other":"#.utf8)
    let tail = Array(#","roll":0.5}],"setId":"s"}"#.utf8)
    var text = file.bytes
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    let line = try? RecordingDecoder.decodeLine(head + text + tail)
    #expect((line != nil) == file.name.hasPrefix("y_"))
  }
}
