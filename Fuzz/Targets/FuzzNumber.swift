import ChunkDecoding
import Motion

/// Fuzzes a number, which must have the same bits as the standard library's result.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNumber(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  guard size > 0, size < 2000 else { return 0 }
  let alphabet = Array("0123456789.-e+0000".utf8)
  let text = UnsafeBufferPointer(start: data, count: size).map { byte in
    alphabet.contains(byte) ? byte : alphabet[Int(byte) % alphabet.count]
  }
  let head = Array("[{\"timestamp\":1,\"yaw\":0,\"roll\":".utf8)
  // Far from the end of the input, numbers are read differently.
  for room in [0, 64] {
    let tail = Array(repeating: UInt8(ascii: " "), count: room) + Array("}]".utf8)
    let decoded = try? RecordingDecoder.decode(head + text + tail, fileName: "x.json")
    guard let value = decoded?.chunks.first?.samples[.roll].first, !value.isNaN else { continue }
    let standard = Double(String(decoding: text, as: UTF8.self))
    check(standard?.bitPattern == value.bitPattern, "\(String(decoding: text, as: UTF8.self))")
  }
  return 0
}
