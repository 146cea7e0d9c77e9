import Foundation
import TestSupport
import Testing

@testable import ChunkDecoding
@testable import MotionSynthesis

@Suite struct DecimalParserTests {
  private func parse(_ text: String, _ grammar: DecimalGrammar = .text) -> Double? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { buffer in
      var position = 0
      guard let base = buffer.baseAddress,
        let value = parseDecimal(base, at: &position, end: buffer.count, grammar: grammar),
        position == buffer.count
      else { return nil }
      return value
    }
  }

  private func expectSameBits(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      parse(text)?.bitPattern == Double(text)?.bitPattern, "\(text)",
      sourceLocation: sourceLocation)
  }

  /// Parses with the fast path for usual numbers; nil if it does not apply.
  private func parseUsual(_ text: String) -> Double? {
    let padded = Array(text.utf8) + Array("}],".utf8) + Array(repeating: 0x37, count: 40)
    return padded.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let number = PlainDecimalReader.shared.read(base)
      return number.length == text.utf8.count ? number.value : nil
    }
  }

  /// Adds a text to `wrong` if its bits differ from the standard library's.
  ///
  /// - Returns: True if the fast path applies.
  private func check(_ text: String, _ wrong: inout [String]) -> Bool {
    let standard = Double(text)?.bitPattern
    let usual = parseUsual(text)?.bitPattern
    if parse(text, .json)?.bitPattern != standard || usual ?? standard != standard {
      wrong.append(text)
    }
    return usual != nil
  }

  /// Number of numbers tested: ten million with `REPTRACE_FULL=1`.
  private static let count =
    isFullRun ? 10_000_000 : 300_000

  private func report(_ what: String, _ count: Int, usual: Int? = nil) {
    guard Self.count > 1_000_000 else { return }
    print("numbers: \(count) \(what)" + (usual.map { ", \($0) of them read the quick way" } ?? ""))
  }

  @Test func randomDoublesMatchTheStandardLibrary() {
    var generator = RandomSource(seed: 1)
    var wrong: [String] = []
    var usual = 0
    var count = 0
    while count < Self.count {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      count += 1
      let text = "\(value)"
      if check(text, &wrong) { usual += 1 }
    }
    report("random finite doubles have the bits of Double(String)", count, usual: usual)
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test func sensorValuesMatchTheStandardLibrary() {
    var generator = RandomSource(seed: 2)
    var wrong: [String] = []
    var usual = 0
    for index in 0..<Self.count {
      // Values of all magnitudes of sensors and clocks, in their shortest form.
      let size = [1.0, 10, 1000, 1e6, 1e9, 1e-2][index % 6]
      let text = "\(Double.random(in: -size...size, using: &generator))"
      if check(text, &wrong) { usual += 1 }
    }
    report("values of sensors have the bits of Double(String)", Self.count, usual: usual)
    #expect(usual > Self.count * 9 / 10)
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  /// All numbers of digits before and after the point: the fast path declines or is right.
  @Test func everyNumberOfDigitsIsRoundedCorrectly() {
    var generator = RandomSource(seed: 4)
    var wrong: [String] = []
    var usual = 0
    for _ in 0..<(Self.count / 1000) {
      for before in 1...12 {
        for behind in 0...25 {
          let digits = (0..<before + behind).map { _ in
            UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &generator)
          }
          var text = generator.next() & 1 == 0 ? "-" : ""
          if before > 1, digits[0] == UInt8(ascii: "0") { text += "1" }
          text += String(decoding: digits[..<before], as: UTF8.self)
          if behind > 0 { text += "." + String(decoding: digits[before...], as: UTF8.self) }
          if check(text, &wrong) { usual += 1 }
        }
      }
    }
    report(
      "numbers of all lengths have the bits of Double(String)", Self.count / 1000 * 312,
      usual: usual)
    #expect(usual > 0)
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  /// Doubles, and numbers almost midway between two, with as many decimals as the fast path reads.
  @Test func exactFractionsAreExact() {
    var generator = RandomSource(seed: 5)
    var wrong: [String] = []
    for decimals in 15...19 {
      let unit = (0..<decimals).reduce(UInt64(1)) { power, _ in 5 * power }
      for more in 0...2 as ClosedRange<UInt64> {
        for _ in 0..<1000 {
          let multiple = UInt64.random(in: 1...(1 << decimals), using: &generator)
          let digits = "\(multiple * unit - 1 + more)"
          let zeros = String(repeating: "0", count: max(0, decimals + 1 - digits.count))
          var text = zeros + digits
          text.insert(".", at: text.index(text.endIndex, offsetBy: -decimals))
          _ = check(text, &wrong)
        }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test func fastPathDefersUnusualNumbers() {
    for text in ["01", "-01", "1e5", "1.5e5", "1.5E5", ".5", "5.", "-", "+1", "NaN", "1.-5"] {
      #expect(parseUsual(text) == nil, "\(text)")
    }
    for text in ["0", "-0", "-0.0", "7", "0.5", "1234567890", "0.10", "9007199254740993.0"] {
      if let value = parseUsual(text) {
        #expect(value.bitPattern == Double(text)?.bitPattern, "\(text)")
      }
    }
  }

  @Test func randomDigitsWithExponentsMatchTheStandardLibrary() {
    var generator = RandomSource(seed: 3)
    for _ in 0..<100_000 {
      let count = Int.random(in: 1...40, using: &generator)
      var digits = (0..<count).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
      let point = Int.random(in: 0...count, using: &generator)
      digits.insert(".", at: digits.index(digits.startIndex, offsetBy: point))
      let text = "\(digits)e\(Int.random(in: -345...315, using: &generator))"
      // On some platforms, the standard library rejects a point without digits on both sides.
      let standard = "0\(digits)0e" + text.split(separator: "e")[1]
      #expect(parse(text)?.bitPattern == Double(standard)?.bitPattern, "\(text)")
    }
  }

  /// From the literature: Clinger 1990, Gay 1990, Paxson 1991, the bug reports of PHP and Java, Lemire 2021.
  @Test func hardCases() {
    let cases = [
      "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308",
      "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
      "2.47032822920623272088284396434110686182e-324",
      "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
      "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
      "9007199254740993", "9007199254740992.999999999999999999", "9007199254740993.0000000001",
      "0.500000000000000166533453693773481063544750213623046875",
      "0.500000000000000166533453693773481063544750213623046874999999999999999999999999",
      "6.92949564460092e15", "3.518437208883201171875e13", "62.5364939768271845828",
      "8.10109172351e-10", "1.50000000000000011102230246251565e0", "1.1754943508222875e-38",
      "7.2057594037927933e16", "5e-324", "8e-324", "1e23", "8.5e22", "9.5e-300", "1e-400",
      "89255e-22", "104110013277974872254e-225", "6213413350747e-10",
      "1090544144181609348835077142190e0",
      "1448997445238699", "0.1e400", "1e309", "-1e309", "1e-324", "3e-324",
      "0.000000000000000000000000000000000000000000001234567890123456789012345678901234567890",
      "123456789012345678901234567890123456789012345678901234567890e-60",
      "-0.0", "0e999999999999999999", "1e999999999999999999999", "1e-999999999999999999999",
    ]
    for text in cases {
      expectSameBits(text)
      if let quick = parseUsual(text) { #expect(quick.bitPattern == Double(text)?.bitPattern) }
    }
    // A distant one decides the rounding, however many zeros precede it.
    let tie = "9007199254740993." + String(repeating: "0", count: 2000)
    #expect(parse(tie + "0") == 9_007_199_254_740_992)
    #expect(parse(tie + "1") == 9_007_199_254_740_994)
    #expect(parse("0." + String(repeating: "0", count: 5000) + "1e5001") == 1)
    #expect(parse("1" + String(repeating: "0", count: 5000) + "e-5000") == 1)
  }

  @Test func grammarOfJSON() {
    for text in [
      "01", "+1", ".5", "5.", "1e", "1e+", "-", "", "0x10", "1_000", "NaN", "-.1", "1.e3",
    ] {
      #expect(parse(text, .json) == nil, "\(text)")
    }
    for (text, value) in [("0", 0.0), ("-0", -0.0), ("1e3", 1000), ("1E-2", 0.01), ("0.5e+1", 5)] {
      #expect(parse(text, .json)?.bitPattern == value.bitPattern, "\(text)")
    }
  }

  @Test func grammarOfText() {
    for (text, value) in [("+1", 1.0), (".5", 0.5), ("5.", 5), ("007", 7)] {
      #expect(parse(text) == value, "\(text)")
    }
    for text in [".", "+", "e5", "", "nan", "1e"] { #expect(parse(text) == nil, "\(text)") }
  }
}
