import Foundation

/// Lets tests write 160 for the time 160 s after the start of 1970.
// swift-format-ignore: AvoidRetroactiveConformances
extension Date: @retroactive ExpressibleByIntegerLiteral, @retroactive ExpressibleByFloatLiteral {
  public init(integerLiteral value: Int) { self.init(timeIntervalSince1970: Double(value)) }

  public init(floatLiteral value: Double) { self.init(timeIntervalSince1970: value) }
}
