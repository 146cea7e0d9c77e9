import Testing

@testable import Digests

/// NIST's published examples of FIPS 180-4, and messages with lengths around that of a block.
struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func digestsMatchTheStandard(message: String, digest: String) {
    #expect(SHA256.hash(message.utf8).hexadecimalDigits == digest)
  }

  @Test func digestOfAMillionBytesMatchesTheStandard() {
    let message = repeatElement(UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      SHA256.hash(message).hexadecimalDigits
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func digestDoesNotDependOnHowAMessageIsSplit() {
    let message = (0..<130).map { UInt8($0) }
    let digest = SHA256.hash(message)
    for cut in message.indices {
      var parts = SHA256()
      parts.update(message[..<cut])
      parts.update(message[cut...].makeIterator().lazySequence)
      #expect(parts.finalize() == digest)
    }
  }
}

extension IteratorProtocol {
  /// The elements as a sequence without contiguous storage.
  fileprivate var lazySequence: IteratorSequence<Self> { IteratorSequence(self) }
}
