import ChunkDecoding
import Motion

/// Fuzzes a line of a stream, and a sidecar.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLine(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  do throws(DecodingFailure) {
    let line = try RecordingDecoder.decodeLine(bytes)
    for case .chunk(let chunk) in line.messages {
      check(!chunk.samples.times.contains { !$0.isFinite }, "a time that is not finite")
    }
  } catch {
    check((error.byteOffset ?? 0) <= size, "an offset beyond the input")
  }
  // White space after a line must not change the result, although numbers near the end are read differently.
  let longer = Array(bytes) + Array(repeating: UInt8(ascii: " "), count: 64)
  let first = try? RecordingDecoder.decodeLine(bytes)
  let second = try? RecordingDecoder.decodeLine(longer)
  check((first == nil) == (second == nil), "white space decides")
  for case (.chunk(let a), .chunk(let b)) in zip(first?.messages ?? [], second?.messages ?? []) {
    check(a.samples.channels == b.samples.channels, "other columns")
    for channel in a.samples.channels {
      let (x, y) = (a.samples[channel], b.samples[channel])
      check(x.map(\.bitPattern) == y.map(\.bitPattern), "other values")
    }
  }
  _ = try? RecordingDecoder.decode(Array("[]".utf8), fileName: "x.json", sidecar: Array(bytes))
  return 0
}
