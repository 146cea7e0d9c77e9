import ChunkDecoding
import Motion

/// Fuzzes a file of any format. The first byte chooses the file's name, which some formats are recognized by.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFile(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  guard size > 0 else { return 0 }
  let names = [
    "x.json", "x.ndjson", "x.csv", "Gyroscope.csv", "Accelerometer.csv", "x", "a_Gyroscope_1.csv",
    "",
  ]
  let bytes = UnsafeRawBufferPointer(start: data + 1, count: size - 1)
  do throws(DecodingFailure) {
    let file = try RecordingDecoder.decode(bytes, fileName: names[Int(data[0]) % names.count])
    var reassembler = ChunkReassembler()
    for chunk in file.chunks {
      check(!chunk.samples.times.contains { !$0.isFinite }, "a time that is not finite")
      _ = chunk.withRebuiltTimes()
      if let frame = BinaryFrame.encode(chunk) {
        let again = try? RecordingDecoder.decode(frame)
        check(again?.sampleCount == chunk.samples.count, "a frame loses samples")
      }
      reassembler.add(chunk)
    }
    let samples = reassembler.assemble(name: "x").recording.samples
    check(samples.times == samples.times.sorted(), "times out of order")
    _ = samples.addingDerivedMotion()
  } catch {
    check((error.byteOffset ?? 0) <= bytes.count, "an offset beyond the input")
    check(!error.message.isEmpty, "an error without a message")
  }
  return 0
}
