/// Decompresses gzip files and entries of zip archives, within a limit.
package enum Inflater {
  package enum Container {
    /// A `.gz` file; several consecutive members form one file.
    case gzip
    /// An entry of a `.zip`: no header, no checksum.
    case raw
  }

  package struct Failure: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable { case damaged, truncated, tooLarge }

    package var reason: Reason
    package var description: String
  }

  /// Returns the maximum decompressed size of an input.
  ///
  /// Numeric text shrinks to a fifth, and a recording of zeros to a two-hundredth. A larger ratio indicates a
  /// decompression bomb.
  static func limit(ofCompressed count: Int, _ limit: Int) -> Int {
    let (grown, overflow) = count.multipliedReportingOverflow(by: 100)
    return min(limit, max(64 << 20, overflow ? limit : grown))
  }

  /// Decompresses data like ``inflate(_:_:limit:stopsAtLimit:cutOff:)``, but throws if they end early.
  package static func inflate(
    _ bytes: UnsafeRawBufferPointer, _ container: Container, limit: Int, stopsAtLimit: Bool = false
  ) throws(Failure) -> [UInt8] {
    var cutOff: Failure?
    let result = try inflate(
      bytes, container, limit: limit, stopsAtLimit: stopsAtLimit, cutOff: &cutOff)
    if let cutOff { throw cutOff }
    return result
  }

  /// - Parameters:
  ///   - limit: Maximum size. Exceeding it is an error, as is exceeding ``limit(ofCompressed:_:)`` of the
  ///     input read so far, so that a bomb is rejected before it fills the memory.
  ///   - stopsAtLimit: True to return the first `limit` bytes instead, even if the rest is damaged.
  ///   - cutOff: Receives the reason why the data end early, instead of an error; the bytes before that are
  ///     returned.
  /// - Complexity: O(bytes decompressed); memory of at most twice `limit`.
  static func inflate(
    _ bytes: UnsafeRawBufferPointer, _ container: Container, limit: Int,
    stopsAtLimit: Bool = false, cutOff: inout Failure?
  ) throws(Failure) -> [UInt8] {
    var result: [UInt8] = []
    var consumed = 0
    repeat {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      if consumed > 0, container == .raw || !isGzip(rest) {
        // Zeros after a member are padding, as on tapes.
        if container == .gzip, !stopsAtLimit, rest.contains(where: { $0 != 0 }) {
          cutOff = Failure(
            reason: .damaged,
            description:
              "what follows the first \(result.count) bytes of content is no gzip, and was not read"
          )
        }
        break
      }
      consumed += try member(
        rest, container, behind: consumed, into: &result, limit: limit, stopsAtLimit: stopsAtLimit,
        cutOff: &cutOff)
    } while consumed < bytes.count && !(stopsAtLimit && result.count >= limit)
    return result
  }

  static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8
  }
}
