import ChunkDecoding
import Motion

/// Fuzzes chunks of small numbers in any order, so that equal times, overlaps and conflicts are frequent. The
/// result must not depend on their order.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReassembly(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  var chunks: [DecodedChunk] = []
  var times: [Double] = []
  var values: [Double] = []
  let isWhole = size > 0 && data[0] & 1 == 1
  func flush() {
    guard !times.isEmpty else { return }
    chunks.append(
      DecodedChunk(
        phase: times.count % 2 == 0 ? .rest : nil,
        samples: MotionBatch([.time: times, .rotationRateX: values]),
        timeResolution: isWhole ? .wholeSeconds : .exact,
        captureFrequenciesHz: isWhole ? times.map { _ in 5 } : []))
    times = []
    values = []
  }
  for index in stride(from: 1, to: min(size, 400) - 1, by: 2) {
    if data[index] == 255 {
      flush()
    } else {
      times.append(Double(data[index]) / (isWhole ? 1 : 4))
      values.append(data[index + 1] == 255 ? .nan : Double(data[index + 1] & 7))
    }
  }
  flush()
  func assemble(_ chunks: [DecodedChunk]) -> MotionBatch {
    var reassembler = ChunkReassembler()
    for chunk in chunks { reassembler.add(chunk) }
    return reassembler.assemble(name: "x").recording.samples
  }
  let first = assemble(chunks)
  check(first.times == first.times.sorted(), "times out of order")
  for other in [chunks.reversed(), chunks + chunks] {
    let second = assemble(Array(other))
    check(second.count == first.count, "the order of chunks matters")
    for row in 0..<first.count { check(first.row(row, equals: row, of: second), "a row differs") }
  }
  return 0
}
