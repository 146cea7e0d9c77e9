import Foundation

/// The write-ahead log of a history, verified against the shared index of the programs that wrote it.
///
/// SQLite ends a log at the first frame with a wrong checksum. That is correct for a commit cut off by power
/// loss, but a frame damaged later silently drops all commits after it. The file `-shm`, which a crash leaves
/// behind, has the number of committed frames. https://www.sqlite.org/walformat.html describes both.
struct HistoryLog {
  var path: String

  private static let logHeader = 32
  private static let frameHeader = 24

  /// True if committed frames that are not yet in the database are unreadable.
  var hasLostCommits: Bool {
    // Retried, since another process may be restarting the log.
    for _ in 0..<3 {
      guard losesCommitsNow else { return false }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return true
  }

  private var losesCommitsNow: Bool {
    guard let shared = Shared(path: path + "-shm"), shared.frames > shared.copiedFrames,
      let log = FileHandle(forReadingAtPath: path + "-wal")
    else { return false }
    defer { try? log.close() }
    guard let header = try? log.read(upToCount: Self.logHeader), header.count == Self.logHeader
    else { return false }
    let bytes = [UInt8](header)
    let isBigEndian = Self.big(bytes, 0) & 1 == 1
    var checksum = Checksum(isBigEndian: isBigEndian)
    checksum.add(bytes[0..<24])
    let isIntact =
      Self.big(bytes, 0) & ~1 == 0x377F_0682
      && (checksum.first, checksum.second) == (Self.big(bytes, 24), Self.big(bytes, 28))
    guard isIntact else { return true }
    // Another generation of the log: the shared file was not updated before power was lost.
    guard Array(bytes[16..<24]) == shared.salts else { return false }
    let pageSize = Int(Self.big(bytes, 8))
    guard (512...65_536).contains(pageSize) else { return true }
    for _ in 0..<shared.frames {
      guard let frame = try? log.read(upToCount: Self.frameHeader + pageSize),
        frame.count == Self.frameHeader + pageSize
      else { return true }
      let bytes = [UInt8](frame)
      checksum.add(bytes[0..<8])
      checksum.add(bytes[Self.frameHeader...])
      guard Array(bytes[8..<16]) == shared.salts,
        (checksum.first, checksum.second) == (Self.big(bytes, 16), Self.big(bytes, 20))
      else { return true }
    }
    return false
  }

  private static func big(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
  }

  /// The first header of the shared file, in native byte order.
  private struct Shared {
    var frames: UInt32
    var copiedFrames: UInt32
    var salts: [UInt8]

    private static let size = 136

    /// Returns nil if there is no file, or the header was being written when its program ended.
    init?(path: String) {
      guard let file = FileHandle(forReadingAtPath: path) else { return nil }
      defer { try? file.close() }
      guard let data = try? file.read(upToCount: Self.size), data.count == Self.size else {
        return nil
      }
      let bytes = [UInt8](data)
      func word(_ offset: Int) -> UInt32 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
      }
      // Two copies of 48 bytes, each with a checksum of its first 40.
      var checksum = Checksum(isBigEndian: 1.bigEndian == 1)
      checksum.add(bytes[0..<40])
      guard word(0) == 3_007_000, Array(bytes[0..<48]) == Array(bytes[48..<96]),
        (checksum.first, checksum.second) == (word(40), word(44))
      else { return nil }
      frames = word(16)
      salts = Array(bytes[32..<40])
      copiedFrames = word(96)
    }
  }

  /// SQLite's checksum of logs: two sums over pairs of words.
  private struct Checksum {
    var isBigEndian: Bool
    var first: UInt32 = 0
    var second: UInt32 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { raw in
        func word(_ offset: Int) -> UInt32 {
          let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }
        for offset in stride(from: 0, to: raw.count - 7, by: 8) {
          first &+= word(offset) &+ second
          second &+= word(offset + 4) &+ first
        }
      }
    }
  }
}
