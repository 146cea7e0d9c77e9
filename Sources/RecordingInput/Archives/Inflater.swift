/// Decompresses gzip files and entries of zip archives, within a limit.
package enum Inflater {
  package enum Container {
    /// The content of a `.gz` file; several members one after the other are one file.
    case gzip
    /// An entry of a `.zip`: no header, no checksum.
    case raw
  }

  package struct Failure: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable { case damaged, truncated, tooLarge }

    package var reason: Reason
    package var description: String
  }

  /// What an input of so many bytes may grow to.
  ///
  /// Text of numbers shrinks to a fifth, a recording of nothing but zeros to a two-hundredth. What
  /// grows beyond that is no recording, but made to fill the memory.
  static func limit(ofCompressed count: Int, _ limit: Int) -> Int {
    let (grown, overflow) = count.multipliedReportingOverflow(by: 100)
    return min(limit, max(64 << 20, overflow ? limit : grown))
  }

  /// As ``inflate(_:_:limit:stopsAtLimit:cutOff:)``; data that ends early is an error.
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
  ///   - limit: more bytes than that are an error, as are more than ``limit(ofCompressed:_:)`` allows for
  ///     what has been read so far: a bomb is refused before it fills the memory.
  ///   - stopsAtLimit: whether to give the first `limit` bytes instead, damaged or not behind them.
  ///   - cutOff: takes why the data ends early, instead of that being an error; what came before is
  ///     returned.
  /// - Complexity: O(bytes decompressed); never more memory than twice `limit`.
  static func inflate(
    _ bytes: UnsafeRawBufferPointer, _ container: Container, limit: Int,
    stopsAtLimit: Bool = false, cutOff: inout Failure?
  ) throws(Failure) -> [UInt8] {
    var result: [UInt8] = []
    var consumed = 0
    repeat {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      if consumed > 0, container == .raw || !isGzip(rest) {
        // Zeros behind a member are padding, as tapes had it.
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
