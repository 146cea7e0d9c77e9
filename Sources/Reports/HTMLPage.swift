import Digests
import Foundation
import Motion

/// The frame of a self-contained page, without network access and with only its own script.
///
/// A content security policy lists the hashes of style and script, so that no unescaped text could run.
enum HTMLPage {
  /// - Parameters:
  ///   - body: Markup, already escaped.
  ///   - data: JSON text for the script; nil without a script.
  static func document(title: String, body: String, data: String? = nil) -> String {
    let style = stylesheet + FigureStyle.figures
    let script = data == nil ? nil : self.script
    var policy = "default-src 'none'; style-src '\(hash(style))'; base-uri 'none'; "
    policy += "form-action 'none'"
    if let script { policy += "; script-src '\(hash(script))'" }
    var page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    page += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n"
    page += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
    page += "<title>\(MarkupText.escaped(title))</title>\n"
    page += "<style>\(style)</style>\n</head>\n<body>\n"
    page += body
    if let data, let script {
      page += "<script type=\"application/json\" id=\"data\">"
      page += MarkupText.scriptSafe(json: data)
      page += "</script>\n<script>\(script)</script>\n"
    }
    return page + "</body>\n</html>\n"
  }

  /// The content of `pages.css` and `pages.js`, which are embedded in the program.
  private static let stylesheet = String(decoding: PackageResources.pages_css, as: UTF8.self)
  static let script = String(decoding: PackageResources.pages_js, as: UTF8.self)

  /// Returns the source expression of CSP level 3 for an inline element.
  private static func hash(_ text: String) -> String {
    "sha256-" + Data(SHA256.hash(text.utf8)).base64EncodedString()
  }

  /// Returns the title of a page, a line below it, and its source in small print.
  static func header(title: String, subtitle: String, source: String) -> String {
    var result = "<h1>\(MarkupText.escaped(title))</h1>\n"
    if !subtitle.isEmpty { result += "<p>\(MarkupText.escaped(subtitle))</p>\n" }
    return result + smallPrint(source)
  }

  static func smallPrint(_ text: String) -> String {
    text.isEmpty ? "" : "<p class=\"source\">\(MarkupText.escaped(text))</p>\n"
  }

  /// Returns names and values side by side.
  static func facts(_ facts: [(name: String, value: String)]) -> String {
    guard !facts.isEmpty else { return "" }
    let items = facts.map {
      "<div><dt>\(MarkupText.escaped($0.name))</dt><dd>\(MarkupText.escaped($0.value))</dd></div>"
    }
    return "<dl class=\"facts\">" + items.joined() + "</dl>\n"
  }
}
