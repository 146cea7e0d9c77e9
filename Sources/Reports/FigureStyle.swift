/// The appearance of figures: in print, on white, and in dark mode.
///
/// Series use the palette of Okabe and Ito (2008), which is distinguishable with any kind of color blindness;
/// they also differ by dashes and are labeled. Colors are spelled out per theme, since not every program that
/// draws SVG supports CSS variables.
enum FigureStyle {
  private static let shared = """
    text{font-family:system-ui,-apple-system,'Segoe UI','Liberation Sans',Arial,sans-serif;font-size:12px}
    text.small,.gridlines text{font-size:11px}text.title{font-size:16px;font-weight:600}text.strong{font-weight:600;paint-order:stroke;stroke-width:3px;stroke-linejoin:round}
    text.end,.gridlines text{text-anchor:end}text.mid,.ticks text{text-anchor:middle}
    .trace{fill:none;stroke-width:1.3;stroke-linejoin:round}.s1{stroke-dasharray:5 1.5}.s2{stroke-dasharray:2 1.5}
    .axis,.ticks path{stroke-width:1;fill:none}.grid,.gridlines path{stroke-width:1;fill:none}.rep{stroke-width:1}.partial{stroke-width:1.4;stroke-dasharray:3 2}
    .rejected{stroke-width:1.4;fill:none}.mark{stroke-width:1.5}.crosshair{stroke-width:1;fill:none;pointer-events:none}
    text.readout{font-weight:600;paint-order:stroke;stroke-width:3px;stroke-linejoin:round;pointer-events:none}
    """

  private static func theme(_ c: Theme) -> String {
    """
    .paper{fill:\(c.paper)}text{fill:\(c.ink)}text.strong,text.readout{stroke:\(c.paper)}.crosshair{stroke:\(c.ink)}text.faint,.gridlines text{fill:\(c.faint)}
    .axis,.ticks path{stroke:\(c.faint)}.grid,.gridlines path{stroke:\(c.grid)}.frame{fill:none;stroke:\(c.grid)}
    .s0{stroke:\(c.blue)}.s1{stroke:\(c.orange)}.s2{stroke:\(c.green)}.s3{stroke:\(c.purple)}
    .f0{fill:\(c.blue)}.f1{fill:\(c.orange)}.f2{fill:\(c.green)}.f3{fill:\(c.purple)}.f4{fill:\(c.vermilion)}
    .set{fill:\(c.band)}.setline{stroke:\(c.blue)}.rep{fill:\(c.repEmpty);stroke:\(c.blue)}.repfill{fill:\(c.repFill);pointer-events:none}
    .partial{fill:none;stroke:\(c.orange)}.rejected{stroke:\(c.vermilion)}.gap{stroke:none}
    .hatchline{stroke:\(c.faint)}.execution{fill:\(c.repEmpty);stroke:\(c.blue)}.rest{fill:none;stroke:\(c.faint)}
    .otherphase{fill:none;stroke:\(c.faint)}.mark{fill:\(c.paper)}.onfill{fill:\(c.onFill)}
    """
  }

  private struct Theme {
    var paper, ink, faint, grid, blue, orange, green, purple, vermilion: String
    var band, repEmpty, repFill, onFill: String
  }

  private static let light = Theme(
    paper: "#ffffff", ink: "#1b1b1b", faint: "#5c5c5c", grid: "#dcdcdc", blue: "#0072b2",
    orange: "#b87300", green: "#00795a", purple: "#a8487a", vermilion: "#c24e00", band: "#eaf3f9",
    repEmpty: "#ffffff", repFill: "#a9d3ea", onFill: "#ffffff")

  private static let dark = Theme(
    paper: "#14171a", ink: "#ececec", faint: "#a3a8ad", grid: "#353a3f", blue: "#56b4e9",
    orange: "#e69f00", green: "#2fc79b", purple: "#e08fbb", vermilion: "#ff8a4c", band: "#1b2a35",
    repEmpty: "#14171a", repFill: "#23658c", onFill: "#0b0d0f")

  /// The style sheet of figures, for a stand-alone SVG or a page.
  static let figures =
    shared + theme(light) + "@media (prefers-color-scheme:dark){" + theme(dark) + "}"
    + "@media print{" + theme(light) + "}"
}
