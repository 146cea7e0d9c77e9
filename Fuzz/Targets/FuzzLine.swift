import ChunkDecoding
import Motion

/// Entry point: a line of a stream, and a sidecar.
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
  _ = try? RecordingDecoder.decode(Array("[]".utf8), fileName: "x.json", sidecar: Array(bytes))
  return 0
}
