/// An identifier or keyword in a line of code, with what stands next to it.
struct Word {
  let text: Substring
  let before: Substring
  let after: Substring

  var isCalled: Bool { after.first == "(" }
  var isMember: Bool { before.last == "." }

  static func all(in line: Substring) -> [Word] {
    var words: [Word] = []
    var at = line.startIndex
    while at < line.endIndex {
      guard isPart(line[at]) else {
        at = line.index(after: at)
        continue
      }
      let end = line[at...].firstIndex { !isPart($0) } ?? line.endIndex
      words.append(Word(text: line[at..<end], before: line[..<at], after: line[end...]))
      at = end
    }
    return words
  }

  private static func isPart(_ character: Character) -> Bool {
    character == "_" || character.isLetter || character.isNumber
  }
}
