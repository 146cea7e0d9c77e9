/// Places labels side by side on one line, omitting those that do not fit.
///
/// The page's script does the same after zooming and must agree with this.
struct LabelRow {
  var plot: ClosedRange<Double>
  private var taken: Double

  init(plot: ClosedRange<Double>) {
    self.plot = plot
    taken = plot.lowerBound - 5
  }

  /// Returns the center of a label and the first of its texts that fits; nil if none does.
  mutating func place(
    _ texts: [String], over span: ClosedRange<Double>, size: Double
  ) -> (x: Double, text: String)? {
    let middle = (max(span.lowerBound, plot.lowerBound) + min(span.upperBound, plot.upperBound)) / 2
    guard middle >= plot.lowerBound, middle <= plot.upperBound else { return nil }
    for text in texts {
      let width = MarkupText.width(text, size: size)
      let x = min(max(middle, plot.lowerBound + width / 2), plot.upperBound - width / 2)
      guard x - width / 2 >= taken + 4, x + width / 2 <= plot.upperBound + 0.5 else { continue }
      taken = x + width / 2
      return (x, text)
    }
    return nil
  }
}
