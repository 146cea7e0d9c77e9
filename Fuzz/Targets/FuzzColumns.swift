import ChunkDecoding
import Motion

/// Fuzzes a column description and a CSV file read by it, separated by a NUL byte.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzColumns(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: data, count: size)
  let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2 else { return 0 }
  var options = DecodingOptions(format: .csv)
  do throws(DecodingFailure) {
    options.columns = try ColumnDescription(json: UnsafeRawBufferPointer(rebasing: parts[0]))
    let file = try RecordingDecoder.decode(
      UnsafeRawBufferPointer(rebasing: parts[1]), fileName: "x.csv", options: options)
    check(file.sampleCount > 0, "a file without samples")
  } catch {
    check(!error.message.isEmpty, "an error without a message")
  }
  return 0
}
