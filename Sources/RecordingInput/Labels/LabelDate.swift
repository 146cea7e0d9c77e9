import ChunkDecoding
import TextFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates as people write them in file names and tables.
package enum LabelDate {
  /// The order of a date's parts.
  package enum Format: String, Sendable, Hashable, CaseIterable {
    /// 2026-11-22, optionally with a time of day, which file names write without colons.
    case iso
    /// 20261122
    case yyyymmdd
    /// 22112026
    case ddmmyyyy
    /// 221126
    case ddmmyy
    /// 261122
    case yymmdd
    /// 11222026
    case mmddyyyy
    /// 112226
    case mmddyy
    /// Seconds since 1970.
    case unixSeconds
    /// Milliseconds since 1970.
    case unixMilliseconds
  }

  /// Returns the formats that match a text.
  package static func formats(of text: String) -> [Format] {
    Format.allCases.filter { unixTime(text, as: $0) != nil }
  }

  /// Parses a date to seconds since 1970, in local time unless the text names a zone; nil if the format does
  /// not match.
  package static func unixTime(_ text: String, as format: Format) -> Double? {
    let digits = text.filter { $0.isASCII && $0.isNumber }
    func part(_ range: Range<Int>) -> Int { Int(String(Array(digits)[range])) ?? 0 }
    switch format {
    case .iso:
      guard let instant = isoTexts(text).lazy.compactMap({ ISO8601.parse($0) }).first,
        day(part(0..<4), part(4..<6), part(6..<8)) != nil
      else { return nil }
      return namesZone(text) ? instant.unixTime : LocalTime.unixTime(ofClockTime: instant.unixTime)
    case .yyyymmdd:
      guard digits == text, digits.count == 8 else { return nil }
      return day(part(0..<4), part(4..<6), part(6..<8))
    case .ddmmyyyy:
      guard digits == text, digits.count == 8 else { return nil }
      return day(part(4..<8), part(2..<4), part(0..<2))
    case .ddmmyy:
      guard digits == text, digits.count == 6 else { return nil }
      return day(2000 + part(4..<6), part(2..<4), part(0..<2))
    case .yymmdd:
      guard digits == text, digits.count == 6 else { return nil }
      return day(2000 + part(0..<2), part(2..<4), part(4..<6))
    case .mmddyyyy:
      guard digits == text, digits.count == 8 else { return nil }
      return day(part(4..<8), part(0..<2), part(2..<4))
    case .mmddyy:
      guard digits == text, digits.count == 6 else { return nil }
      return day(2000 + part(4..<6), part(0..<2), part(2..<4))
    case .unixSeconds:
      guard digits == text, digits.count == 10 else { return nil }
      return Double(digits)
    case .unixMilliseconds:
      guard digits == text, digits.count == 13 else { return nil }
      return Double(digits).map { $0 / 1000 }
    }
  }

  /// Returns possible complete forms of a date. Seconds or the time of day may be missing, and the time may
  /// be written `18-30-05`, `18.30` or `183005`.
  private static func isoTexts(_ text: String) -> [String] {
    var texts = [text, "\(text.prefix(16)):00\(text.dropFirst(16))", text + "T00:00:00"]
    let zone = text.hasSuffix("Z") ? "Z" : ""
    let time = text.dropFirst(11).dropLast(zone.count)
    let digits = String(time.filter { $0.isASCII && $0.isNumber })
    let separators = time.filter { !($0.isASCII && $0.isNumber) }
    if [4, 6].contains(digits.count), separators.allSatisfy({ $0 == "-" || $0 == "." }),
      let separator = text.dropFirst(10).first, "Tt _-".contains(separator)
    {
      let full = digits.count == 4 ? digits + "00" : digits
      let parts = [full.prefix(2), full.dropFirst(2).prefix(2), full.suffix(2)]
      texts.append("\(text.prefix(10))T\(parts.joined(separator: ":"))\(zone)")
    }
    return texts
  }

  /// Returns whether a date in the format ``Format/iso`` ends in `Z` or an offset.
  private static func namesZone(_ text: String) -> Bool {
    let time = text.dropFirst(11)
    return time.last.map { "Zz".contains($0) } ?? false || time.contains("+")
      || time.wholeMatch(of: /.*:.*-\d\d:?\d\d/) != nil
  }

  /// Returns the formats that match all texts with valid days that are not in the future. Formats that give
  /// equal dates for all texts count as one.
  package static func formats(
    ofAll texts: [String], now: Double = Date().timeIntervalSince1970
  ) -> [Format] {
    var dates: Set<[Double]> = []
    return Format.allCases.filter { format in
      let times = texts.compactMap { unixTime($0, as: format) }
      return times.count == texts.count && times.allSatisfy { $0 < now + 86_400 }
        && dates.insert(times).inserted
    }
  }

  /// Returns the start of a local day, in seconds since 1970; nil if the day does not exist.
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Double? {
    guard (1970...2200).contains(year), (1...12).contains(month), day >= 1,
      day <= days(in: month, of: year)
    else { return nil }
    return LocalTime.unixTime(
      ofClockTime: Double(ISO8601.daysSince1970(year: year, month: month, day: day) * 86_400))
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
