import Foundation

/// Returns the violations in a page: elements and attributes that run or load something, foreign scripts,
/// and input within scripts or styles.
package func pageProblems(_ page: String) -> [String] {
  var result: [String] = []
  let allowed: Set<String> = [
    "html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section", "h1",
    "h2", "h3", "h4", "p", "div", "span", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th",
    "td", "button", "figure", "figcaption", "details", "summary", "ul", "li", "svg", "g", "defs",
    "path", "rect", "line", "circle", "text", "tspan", "clipPath", "pattern", "script", "br",
    "strong", "small", "nav", "article", "polyline", "caption", "colgroup", "col", "code", "desc",
  ]
  var scripts = 0
  var rest = page[...]
  while let start = rest.firstIndex(of: "<") {
    rest = rest[rest.index(after: start)...]
    let name = rest.prefix { $0.isLetter || $0.isNumber }
    guard let first = rest.first, first.isLetter else { continue }
    // A tag ends at the first > outside quotes.
    var quote: Character?
    var tag = ""
    while let character = rest.popFirst() {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
      } else if quote == nil, character == ">" {
        break
      }
      // Keep only names: text within quotes is a value.
      if quote == nil || character == quote { tag.append(character) }
    }
    if !allowed.contains(String(name)) { result.append("element \(name)") }
    let attributes = tag.split { $0.isWhitespace || $0 == "/" }.dropFirst()
    for attribute in attributes where attribute.lowercased().hasPrefix("on") {
      result.append("attribute \(attribute)")
    }
    for attribute in attributes {
      for source in ["href", "src", "action", "formaction", "srcdoc", "xlink:href"]
      where attribute.lowercased().hasPrefix(source + "=") {
        result.append("link \(attribute)")
      }
    }
    guard name == "script" || name == "style" else { continue }
    scripts += name == "script" ? 1 : 0
    let end = rest.range(of: "</\(name)>")?.lowerBound ?? rest.endIndex
    // Data in a script is JSON without <; a style contains no input.
    if name == "style", rest[..<end].contains("alert") { result.append("text in a style") }
    if name == "script", tag.contains("json") || tag.contains("type"),
      rest[..<end].contains("<")
    {
      result.append("a < in data")
    }
    rest = rest[end...]
  }
  if scripts > 2 { result.append("\(scripts) scripts") }
  return result
}
