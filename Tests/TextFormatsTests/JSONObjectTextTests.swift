import Foundation
import Testing

@testable import TextFormats

@Suite struct JSONObjectTextTests {
  @Test func keepsOrderAndRounds() {
    let absent: String? = nil
    var object = JSONObjectText([
      "b": .number(1.23456, decimals: 3), "a": .number(2.0, decimals: 3),
      "n": .number(.nan, decimals: 3), "huge": .number(1e300, decimals: 3), "id": .number(7),
      "absent": .text(absent), "infinite": .exact(.infinity),
    ])
    object.add(["exact": .exact(0.1), "yes": .flag(true), "list": .texts(["a", "\""])])
    #expect(
      object.text == #"{"b":1.235,"a":2,"n":null,"huge":1e+300,"id":7,"#
        + #""exact":0.1,"yes":true,"list":["a","\""]}"#)
  }

  @Test(arguments: [
    "", "a\"b\\c", "line\nbreak\r\t", "\u{0}\u{1B}[31m\u{7F}\u{9B}", "é 🏋️ </script>",
  ])
  func stringsSurviveAParser(text: String) throws {
    let data = Data("[\(JSONObjectText.quoted(text))]".utf8)
    let parsed = try JSONSerialization.jsonObject(with: data) as? [String]
    #expect(parsed == [text])
    #expect(!JSONObjectText.quoted(text).unicodeScalars.contains { $0.value < 0x20 })
  }
}
