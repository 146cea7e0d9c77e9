/// Writes SVG elements, one per line.
struct SVGText {
  private(set) var body = ""

  /// Formats a number of pixels with one decimal.
  static func px(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e7 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let whole = tenths.magnitude / 10
    let digit = tenths.magnitude % 10
    return (tenths < 0 ? "-" : "") + String(whole) + (digit == 0 ? "" : "." + String(digit))
  }

  mutating func raw(_ text: String) { body += text + "\n" }

  mutating func open(_ tag: String) { body += "<" + tag + ">\n" }

  mutating func close(_ tag: String) { body += "</" + tag + ">\n" }

  /// - Parameter tooltip: Text shown when the pointer rests on the rectangle.
  mutating func rect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, class name: String,
    attributes: String = "", tooltip: String? = nil
  ) {
    body += "<rect x=\"\(Self.px(x))\" y=\"\(Self.px(y))\" width=\"\(Self.px(max(width, 0)))\" "
    body += "height=\"\(Self.px(max(height, 0)))\" class=\"\(name)\"\(attributes)"
    if let tooltip {
      body += "><title>" + MarkupText.escaped(tooltip) + "</title></rect>\n"
    } else {
      body += "/>\n"
    }
  }

  mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String = "",
    attributes: String = ""
  ) {
    let end =
      y1 == y2
      ? "H\(Self.px(x2))" : x1 == x2 ? "V\(Self.px(y2))" : "L\(Self.px(x2)) \(Self.px(y2))"
    body += "<path d=\"M\(Self.px(x1)) \(Self.px(y1))\(end)\""
    if !name.isEmpty { body += " class=\"\(name)\"" }
    body += attributes + "/>\n"
  }

  mutating func text(
    _ x: Double, _ y: Double, _ content: String, class name: String = "", attributes: String = ""
  ) {
    body += "<text x=\"\(Self.px(x))\" y=\"\(Self.px(y))\""
    if !name.isEmpty { body += " class=\"\(name)\"" }
    body += attributes + ">" + MarkupText.escaped(content) + "</text>\n"
  }

  mutating func path(_ data: String, class name: String, attributes: String = "") {
    body += "<path d=\"\(data)\" class=\"\(name)\"\(attributes)/>\n"
  }

  /// Returns the path through points, broken at values that are not finite.
  static func line(through points: [SeriesReduction.Point], x: AxisScale, y: AxisScale) -> String {
    var data = ""
    data.reserveCapacity(points.count * 10)
    var isDown = false
    for point in points {
      guard point.value.isFinite else {
        isDown = false
        continue
      }
      data += (isDown ? "L" : "M") + px(x(point.time)) + " " + px(y(point.value))
      isDown = true
    }
    return data
  }
}
