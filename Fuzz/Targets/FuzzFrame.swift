import ChunkDecoding
import Motion

/// Fuzzes a binary frame. The checksum is corrected, so that the fuzzer gets past it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrame(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  var frame = Array(UnsafeBufferPointer(start: data, count: size))
  check(&frame, repaired: false)
  if BinaryFrame.repair(&frame) { check(&frame, repaired: true) }
  return 0
}

private func check(_ frame: inout [UInt8], repaired: Bool) {
  frame.withUnsafeBytes { bytes in
    do throws(DecodingFailure) {
      let decoded = try BinaryFrame.decode(bytes)
      check(decoded.size <= bytes.count, "a frame longer than the input")
      check(!decoded.chunk.samples.times.contains { !$0.isFinite }, "a time that is not finite")
      guard let again = BinaryFrame.encode(decoded.chunk) else { return }
      let second = try RecordingDecoder.decode(again, fileName: "")
      check(second.sampleCount == decoded.chunk.samples.count, "samples are lost")
    } catch {
      check((error.byteOffset ?? 0) <= bytes.count, "an offset beyond the input")
    }
  }
}
