import Foundation
import SimdjsonShim

/// simdjson's On-Demand interface, which walks the fields in document order and writes columns.
enum SimdjsonRival {
  private static let rows = 100

  static func contestant(_ chunks: [Data]) -> Contest.Contestant {
    let parser = simdjson_parser_create()
    // Its input must be readable beyond its end. The copy is made outside the measured time.
    let padded = chunks.map { [UInt8]($0) + Array(repeating: 0, count: simdjson_padding()) }
    let columnCount = Int(SIMDJSON_COLUMNS)
    let name = "simdjson (\(String(cString: simdjson_kernel())))"
    return Contest.Contestant(name: name, wanted: 0.95) {
      try zip(chunks, padded).reduce(0) { sum, input in
        // Separate columns for each chunk, as in our result.
        var columns: [[Double]] = []
        let flat = try [Double](unsafeUninitializedCapacity: columnCount * rows) { values, count in
          var textBytes = 0
          let found = simdjson_decode_chunk(
            parser, input.1, input.0.count, values.baseAddress, rows, &textBytes)
          guard found == rows, textBytes == 3 * 36 + 9 else { throw Failure(code: found) }
          count = columnCount * rows
        }
        columns.append(flat)
        return sum + columns[0][(12 * rows)...].reduce(0, +)
      }
    }
  }

  struct Failure: Error {
    var code: Int64
  }
}
