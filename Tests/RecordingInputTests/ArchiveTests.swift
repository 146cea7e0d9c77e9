import Foundation
import TestSupport
import Testing

@testable import RecordingInput

/// Compressed inputs: intact, damaged and hostile. Python writes them; without it the tests are skipped.
@Suite(.enabled(if: hasPython, "needs python3")) struct ArchiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func python(_ program: String) throws {
    let done = try run("python3", ["-c", program], in: folder.url)
    try #require(done.status == 0, "\(done.output)")
  }

  private func file(_ name: String) -> InputFile {
    InputFile(path: folder.path(name), isNamed: true)
  }

  private func members(_ archive: String) -> [InputFile] {
    InputScanner.scan([folder.path(archive)])[0].files
  }

  private func texts(_ members: [InputFile], limit: Int = 1 << 20) throws -> [String] {
    try members.map { String(decoding: try $0.bytes(limit: limit), as: UTF8.self) }
  }

  @Test func readsGzip() throws {
    try python(
      """
      import gzip
      open("a.csv.gz", "wb").write(gzip.compress(b"one\\n") + gzip.compress(b"two\\n") + b"\\0" * 9)
      open("lost.gz", "wb").write(gzip.compress(b"one\\n") + b"x" + gzip.compress(b"two\\n")[1:])
      open("empty.gz", "wb").write(gzip.compress(b""))
      whole = gzip.compress(bytes(range(256)) * 400)
      open("cut.gz", "wb").write(whole[:200])
      open("damaged.gz", "wb").write(whole[:40] + b"\\xff\\x00\\xff" + whole[43:])
      """)
    #expect(try file("a.csv.gz").bytes(limit: 100) == Array("one\ntwo\n".utf8))
    #expect(try file("a.csv.gz").head().starts(with: Array("one\n".utf8)))
    let lost = try file("lost.gz").content(limit: 100)
    #expect(lost.bytes == Array("one\n".utf8) && lost.cutOff?.reason == .damaged)
    #expect(try file("empty.gz").bytes(limit: 100).isEmpty)
    #expect(throws: FileReading.Failure.self) { try file("damaged.gz").bytes(limit: 1 << 20) }
    let cut = try file("cut.gz").content(limit: 1 << 20)
    #expect(cut.bytes.starts(with: (0...99).map { UInt8($0) }))
    #expect(cut.cutOff?.reason == .truncated)
  }

  /// The readable part of a truncated compressed file is used, with a warning, as for a plain file.
  @Test func truncatedCompressedRecordingsAreRead() throws {
    try python(
      """
      import gzip, random
      rows = "".join(f"{i / 50},{random.random()},0,1\\n" for i in range(2000))
      text = "timestamp,accelerationX,accelerationY,accelerationZ\\n" + rows
      whole = gzip.compress(text.encode())
      open("cut.csv.gz", "wb").write(whole[:len(whole) // 2])
      open("nothing.csv.gz", "wb").write(whole[:12])
      """)
    let loaded = LoadedInputs([file("cut.csv.gz").path], options: LoadingOptions())
    let recording = try #require(loaded.recordings.first)
    #expect(recording.parts[0].recording.samples.count > 500)
    #expect(recording.warnings.contains { $0.contains("the compressed data ends early") })
    let nothing = LoadedInputs([file("nothing.csv.gz").path], options: LoadingOptions())
    #expect(nothing.failures.first?.message.contains("ends early") == true)
  }

  @Test func nestedArchivesAreRejected() throws {
    try python(
      """
      import zipfile
      with zipfile.ZipFile("in.zip", "w") as z: z.writestr("1.csv", "one")
      with zipfile.ZipFile("o.zip", "w") as z: z.write("in.zip")
      """)
    let member = try #require(members("o.zip").first)
    let refusal = #expect(throws: FileReading.Failure.self) { try member.bytes(limit: 1 << 20) }
    #expect(refusal?.description.contains("an archive in an archive") == true)
  }

  @Test func bombsAreRejected() throws {
    try python(
      """
      import zlib, gzip, zipfile
      with gzip.open("bomb.gz", "wb") as f:
          for _ in range(200): f.write(bytes(1 << 20))
      with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as z:
          z.writestr("zeros.csv", bytes(200 << 20))
      """)
    let zipped = members("bomb.zip")
    #expect(zipped.count == 1)
    for member in [file("bomb.gz")] + zipped {
      let refusal = #expect(throws: FileReading.Failure.self) { try member.bytes(limit: 2 << 30) }
      #expect(refusal?.description.contains("more than") == true, "\(member.path)")
    }
  }

  /// Data after a bomb do not raise the limit at the point where it expands.
  @Test func bombsWithTrailingDataAreRejected() throws {
    try python(
      """
      import gzip, os
      zeros = gzip.compress(bytes(100 << 20), 1)
      noise = gzip.compress(os.urandom(2 << 20), 1)
      open("first.gz", "wb").write(zeros + noise)
      open("last.gz", "wb").write(noise + zeros)
      """)
    let refusal = #expect(throws: FileReading.Failure.self) {
      try file("first.gz").bytes(limit: 2 << 30)
    }
    #expect(refusal?.description.contains("more than \(64 << 20) bytes") == true)
    #expect(try file("last.gz").bytes(limit: 2 << 30).count == 102 << 20)
  }

  @Test func zipsAreSearchedLikeFolders() throws {
    try python(
      """
      import zipfile
      with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as z:
          z.writestr("b/2.csv", "two"); z.writestr("1.csv", "one", zipfile.ZIP_STORED)
          z.writestr("__MACOSX/1.csv", "x"); z.writestr("b/.hidden", "x")
          z.writestr("columns.json", "{}")
      """)
    let files = members("a.zip")
    let base = folder.path("a.zip") + "/"
    #expect(files.map(\.path) == [base + "1.csv", base + "b/2.csv"])
    #expect(try texts(files, limit: 10) == ["one", "two"])
    #expect(try files[0].bytes(beside: base + "columns.json") == Array("{}".utf8))
    #expect(try files[0].bytes(beside: base + "absent.json") == nil)
  }

  /// Recognizing the format does not read the whole content, which would detect the damage.
  @Test(arguments: ["DEFLATED", "STORED"]) func readingAHeadIgnoresDamage(method: String) throws {
    try python(
      """
      import zipfile, random, gzip
      random.seed(1)
      text = b"one\\n" + bytes(random.choices(b"0123456789,", k=100_000))
      with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_\(method)) as z:
          z.writestr("1.csv", text); z.writestr("2.csv.gz", gzip.compress(text))
      b = bytearray(open("a.zip", "rb").read())
      b[30_000] ^= 0xFF
      open("a.zip", "wb").write(b)
      """)
    let files = members("a.zip")
    #expect(throws: FileReading.Failure.self) { try files[0].bytes(limit: 1 << 20) }
    let head = try files[0].head()
    #expect(head.count == 4096 && head.starts(with: Array("one\n".utf8)))
    #expect(try files[1].head().starts(with: Array("one\n".utf8)))
  }

  /// Python writes zip64 above a limit. It is lowered here, so that a small archive has all zip64 parts:
  /// sizes and offsets in extra fields, and an end record with its locator.
  private static let makesZip64 = """
    import zipfile
    zipfile.ZIP64_LIMIT = zipfile.ZIP_FILECOUNT_LIMIT = 0

    """

  @Test func readsZip64() throws {
    try python(
      Self.makesZip64 + """
        with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as z:
            one, two = zipfile.ZipInfo("1.csv"), zipfile.ZipInfo("b/2.csv")
            one.extra = b"UT\\x05\\0\\1abcd"
            two.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(one, "one"); z.writestr(two, "two" * 99)
            z.comment = b"made by a test"
        assert open("a.zip", "rb").read().count(b"PK\\6\\6") == 1
        """)
    let files = members("a.zip")
    #expect(try texts(files, limit: 500) == ["one", String(repeating: "two", count: 99)])
    #expect(throws: FileReading.Failure.self) { try files[1].bytes(limit: 200) }
  }

  /// Changing or cutting any byte of a small archive gives an error or the right content.
  @Test(arguments: ["import zipfile\n", makesZip64])
  func damagedZipsAreReported(preamble: String) throws {
    try python(
      preamble + """
        with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("1.csv", "timestamp,accelerationX\\n0,1\\n")
        """)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.zip"))))
    let right = "timestamp,accelerationX\n0,1\n"
    #expect(try texts(members("a.zip")) == [right])
    for position in whole.indices {
      for value in [whole[position] ^ 0x41, 0, 0xFF] where value != whole[position] {
        var damaged = whole
        damaged[position] = value
        try check(damaged, right)
      }
      try check(Array(whole[..<position]), right)
    }
  }

  private func check(_ bytes: [UInt8], _ right: String) throws {
    try folder.write(Data(bytes), to: "x.zip")
    for member in members("x.zip") {
      guard let content = try? member.bytes(limit: 1 << 20) else { continue }
      #expect(String(decoding: content, as: UTF8.self) == right)
    }
  }
}
