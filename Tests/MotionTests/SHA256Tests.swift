import Motion
import Testing

/// Vectors of FIPS 180-4 and of NIST's examples.
struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func knownMessages(message: String, expected: String) {
    #expect(SHA256.hexadecimal(SHA256.digest(message.utf8)) == expected)
  }

  @Test func aMillionLetters() {
    let digest = SHA256.digest([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
    #expect(
      SHA256.hexadecimal(digest)
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func everyCutGivesTheSameHash() {
    let message = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let whole = SHA256.digest(message)
    for cut in 0...message.count {
      var hash = SHA256()
      hash.update(message[..<cut])
      hash.update(message[cut...])
      #expect(hash.digest() == whole)
    }
  }
}
