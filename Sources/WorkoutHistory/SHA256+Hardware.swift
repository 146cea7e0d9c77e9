import CSHA256
import Motion

extension SHA256 {
  /// A hash by the processor's own instructions, where it has some, else in pure Swift.
  package static func quickest() -> SHA256 { SHA256(compression: quickestCompression) }

  private static let quickestCompression: Compression =
    reptrace_sha256_is_available() ? hardwareCompression : portableCompression

  private static let hardwareCompression: Compression = { state, blocks in
    guard let first = blocks.baseAddress else { return }
    withUnsafeMutableBytes(of: &state) { state in
      let words = state.assumingMemoryBound(to: UInt32.self)
      let bytes = first.assumingMemoryBound(to: UInt8.self)
      reptrace_sha256_compress(words.baseAddress, bytes, blocks.count / 64)
    }
  }
}
