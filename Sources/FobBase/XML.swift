#if !hasFeature(Embedded)
  /// Text as XML 1.0 and HTML take it.
  package enum XML {
    /// For an element's text or an attribute in quotes. A character that XML does not have becomes
    /// U+FFFD.
    package static func escape(_ text: String) -> String {
      var escaped = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        // An attribute would keep a space of it.
        case "\n": escaped += "&#10;"
        case "\0"..."\u{8}", "\u{B}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }
  }
#endif
