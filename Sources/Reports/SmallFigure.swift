/// A set's movement curve as a line in a table.
package struct MovementThumbnail: Sendable {
  /// Movement, −1 to +1, by time in seconds since the start of the set.
  package var curve: [(time: Double, movement: Double)]
  /// Times at which reps complete, in seconds since the start of the set.
  package var repEnds: [Double]
  package var duration: Double

  private static let width = 200.0
  private static let height = 38.0

  /// Returns the curve as SVG. Hidden from screen readers, since the row gives the same values as numbers.
  func svg() -> String {
    var svg = SVGText()
    let duration = duration.isFinite && duration > 0 ? min(duration, 1e6) : 1
    let x = AxisScale(domain: 0...duration, low: 2, high: Self.width - 2)
    let y = AxisScale(domain: -1...1, low: Self.height - 8, high: 3)
    let points = SeriesReduction.points(
      times: curve.map(\.time), values: curve.map(\.movement), span: 0...duration,
      columns: Int(Self.width / 2), longestLine: 0.5)
    svg.path(SVGText.line(through: points, x: x, y: y), class: "trace s0")
    let ends = repEnds.filter { $0 >= 0 && $0 <= duration * 1.001 }.prefix(200)
    svg.path(
      ends.map { "M\(SVGText.px(x($0))) \(SVGText.px(Self.height - 5))v4" }.joined(), class: "axis")
    return "<svg class=\"movement\" viewBox=\"0 0 \(SVGText.px(Self.width)) "
      + "\(SVGText.px(Self.height))\" aria-hidden=\"true\">\n\(svg.body)</svg>"
  }
}

/// The frame of a small drawing in a page.
enum SmallFigure {
  static func element(_ svg: SVGText, width: Double, height: Double, label: String) -> String {
    "<svg width=\"\(SVGText.px(width))\" height=\"\(SVGText.px(height))\" "
      + "viewBox=\"0 0 \(SVGText.px(width)) \(SVGText.px(height))\" role=\"img\" "
      + "aria-label=\"\(MarkupText.escaped(label))\">\n\(svg.body)</svg>\n"
  }

  /// Returns a marker. Series differ in shape as well as color.
  static func marker(_ x: Double, _ y: Double, series: Int) -> String {
    func p(_ dx: Double, _ dy: Double) -> String { SVGText.px(x + dx) + " " + SVGText.px(y + dy) }
    switch series % 4 {
    case 0: return "M\(p(-3.5, 0))a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0Z"
    case 1: return "M\(p(-3.2, -3.2))L\(p(3.2, -3.2))L\(p(3.2, 3.2))L\(p(-3.2, 3.2))Z"
    case 2: return "M\(p(0, -4.2))L\(p(4, 3))L\(p(-4, 3))Z"
    default: return "M\(p(0, -4.4))L\(p(4.4, 0))L\(p(0, 4.4))L\(p(-4.4, 0))Z"
    }
  }
}
