/// The functions, initialisers, subscripts and computed properties of a Swift file, nested ones
/// included, found by their keyword and the braces that follow it.
struct FunctionScanner {
  struct Function: Equatable {
    let line: Int
    let length: Int
  }

  static func functions(in file: SwiftFile) -> [Function] {
    file.code.indices.flatMap { index in
      Word.all(in: file.code[index]).compactMap { word in
        opens(word).flatMap { isProperty in
          end(of: file, from: index, word.after, isProperty: isProperty)
        }.map { Function(line: index + 1, length: $0 - index + 1) }
      }
    }
  }

  /// Whether the word begins something with a body; true for a property.
  private static func opens(_ word: Word) -> Bool? {
    switch word.text {
    case "func", "subscript", "deinit": word.isMember ? nil : false
    case "init": word.isMember || !"(<?".contains(word.after.first ?? " ") ? nil : false
    case "var": true
    default: nil
    }
  }

  /// The index of the line on which the body closes, or nil where there is no body: a stored
  /// property, or a requirement of a protocol.
  private static func end(
    of file: SwiftFile, from start: Int, _ rest: Substring, isProperty: Bool
  ) -> Int? {
    var braces = 0
    var brackets = 0
    for index in start..<file.code.count {
      let line = index == start ? rest : file.code[index]
      if braces == 0, brackets == 0, index > start, isProperty || beginsAnother(line) { return nil }
      for character in line {
        switch character {
        case "(", "[": brackets += 1
        case ")", "]": brackets -= 1
        case "=" where isProperty && braces == 0 && brackets == 0: return nil
        case "{" where brackets == 0 || braces > 0: braces += 1
        case "}" where braces > 0:
          braces -= 1
          if braces == 0 { return index }
        case "}" where brackets == 0: return nil
        default: break
        }
      }
    }
    return nil
  }

  private static func beginsAnother(_ line: Substring) -> Bool {
    let openings: Set<Substring> = [
      "func", "var", "init", "subscript", "static", "mutating", "associatedtype", "typealias",
    ]
    let word = Word.all(in: line).first
    return word.map { openings.contains($0.text) && $0.before.allSatisfy(\.isWhitespace) } ?? false
  }
}
