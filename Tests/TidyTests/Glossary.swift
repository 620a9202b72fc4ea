/// Holds files to the words of docs/reference/glossary.md.
enum Glossary {
  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  static func declarations(of names: Set<Substring>, in files: [SwiftFile]) -> [Offence] {
    files.flatMap { file in
      declarations(in: file).filter { names.contains($0.name) }.map {
        Offence(path: file.path, line: $0.line, message: "`\($0.name)`: see the glossary")
      }
    }
  }

  /// In whatever case, also where a line ends within the phrase.
  static func uses(of phrases: [String], in files: [TextFile]) -> [Offence] {
    let phrases = phrases.map { (text: $0, words: words($0[...])) }
    return files.flatMap { file -> [Offence] in
      let letters = asciiLetters(file.text)
      let phrases = phrases.filter { letters.holds(asciiLetters($0.text)) }
      if phrases.isEmpty { return [] }
      let lines = file.lines.map { words($0) }
      return lines.indices.flatMap { index -> [Offence] in
        phrases.compactMap { phrase, wanted -> Offence? in
          let next = index + 1 < lines.count ? lines[index + 1].prefix(wanted.count - 1) : []
          let here = lines[index] + next
          let found = here.indices.prefix(lines[index].count).contains {
            here[$0...].starts(with: wanted)
          }
          return found
            ? Offence(path: file.path, line: index + 1, message: "'\(phrase)': see the glossary")
            : nil
        }
      }
    }
  }

  /// Types outside of others that two files declare; what only its file sees is its own matter.
  static func repeated(in files: [SwiftFile]) -> [Offence] {
    var seen: [Substring: String] = [:]
    return files.flatMap { file in
      declarations(in: file).filter(\.isOuter).compactMap { found -> Offence? in
        guard let first = seen.updateValue(file.path, forKey: found.name) else { return nil }
        return Offence(
          path: file.path, line: found.line, message: "`\(found.name)` stands in \(first), too")
      }
    }
  }

  private struct Declaration {
    let name: Substring
    let line: Int
    let isOuter: Bool
  }

  private static func declarations(in file: SwiftFile) -> [Declaration] {
    file.code.enumerated().flatMap { index, line -> [Declaration] in
      guard kinds.contains(where: { line.holds($0) }) else { return [] }
      let words = Word.all(in: line)
      if words.contains(where: { $0.text == "import" }) { return [] }
      let isPrivate = words.contains { $0.text == "private" || $0.text == "fileprivate" }
      return zip(words, words.dropFirst()).filter { kind, name in
        kinds.contains(kind.text) && name.text.first!.isUppercase && !kind.isMember
      }.map {
        Declaration(name: $1.text, line: index + 1, isOuter: line.first != " " && !isPrivate)
      }
    }
  }

  /// What a text that uses a phrase has, too: its letters one after the other, whatever stands
  /// between them.
  private static func asciiLetters(_ text: String) -> Substring {
    let bytes = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      default: nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)[...]
  }

  private static func words(_ line: Substring) -> [String] {
    let comment: Set<Character> = ["/", "#", "*"]
    return line.split { $0 == " " || comment.contains($0) }.map {
      $0.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "'" || $0 == "," }
    }.filter { !$0.isEmpty }
  }
}
