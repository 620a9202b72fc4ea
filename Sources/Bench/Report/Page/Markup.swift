import FobBase

/// Elements of HTML and SVG as text. Their content is escaped here and nowhere else.
enum Markup {
  /// An element round text.
  static func text(
    _ name: String, _ text: String, _ attributes: KeyValuePairs<String, String> = [:]
  ) -> String {
    element(name, XML.escape(text), attributes)
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
    attributes.reduce("<\(name)") { "\($0) \($1.key)=\"\(XML.escape($1.value))\"" }
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
