#if canImport(CryptoKit)
  import CryptoKit
#else
  import CLibcrypto
#endif

/// SHA-256 (FIPS 180-4) of the system's library: CryptoKit on Apple platforms, libcrypto elsewhere. Both use
/// the processor's SHA instructions if available.
package struct SHA256: ~Copyable {
  #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()

    package init() {}
  #else
    private let context: OpaquePointer

    package init() {
      // Both fail only if memory runs out or the library lacks SHA-256.
      guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
      else { preconditionFailure("libcrypto offers no SHA-256") }
      self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }
  #endif

  /// Appends bytes to the message.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
      state.update(bufferPointer: bytes)
    #else
      guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
      else { preconditionFailure("libcrypto refused bytes") }
    #endif
  }

  /// Appends bytes to the message.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  /// Returns the 32 bytes of the message's digest.
  package consuming func finalize() -> [UInt8] {
    #if canImport(CryptoKit)
      return Array(state.finalize())
    #else
      return Array(unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
        guard EVP_DigestFinal_ex(context, buffer.baseAddress, nil) == 1
        else { preconditionFailure("libcrypto made no digest") }
        count = Self.byteCount
      }
    #endif
  }

  /// Returns the 32 bytes of a message's digest.
  package static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
    var digest = SHA256()
    digest.update(message)
    return digest.finalize()
  }

  private static let byteCount = 32
}
