/// Elements of HTML and SVG as text. Their content is escaped here and nowhere else.
enum Markup {
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // Characters that neither HTML nor XML may have.
      case "\0"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// An element round text.
  static func text(
    _ name: String, _ text: String, _ attributes: KeyValuePairs<String, String> = [:]
  ) -> String {
    element(name, escape(text), attributes)
  }

  /// An element round markup.
  static func element(
    _ name: String, _ inside: String, _ attributes: KeyValuePairs<String, String> = [:]
  ) -> String {
    "\(open(name, attributes))>\(inside)</\(name)>"
  }

  /// An element of SVG without anything inside.
  static func empty(
    _ name: String, _ attributes: KeyValuePairs<String, String>
  ) -> String {
    "\(open(name, attributes))/>"
  }

  private static func open(
    _ name: String, _ attributes: KeyValuePairs<String, String>
  ) -> String {
    attributes.reduce("<\(name)") { "\($0) \($1.key)=\"\(escape($1.value))\"" }
  }

  /// A coordinate, to a tenth.
  static func at(_ value: Double) -> String { FigureText.plain(value, digits: 1) }

  /// A drawing that scales with the page, with words for those who do not see it.
  static func drawing(
    width: Double, height: Double, label: String, _ inside: [String]
  ) -> String {
    element(
      "svg", inside.joined(separator: "\n"),
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(at(width)) \(at(height))",
        "role": "img", "aria-label": label,
      ])
  }
}
