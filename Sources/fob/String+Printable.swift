extension String {
  /// What others have written, as it may stand on a terminal: what would move its cursor, change
  /// its title or turn its text round is written out.
  var printable: String {
    guard unicodeScalars.contains(where: \.actsOnTerminal) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.actsOnTerminal {
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var actsOnTerminal: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
