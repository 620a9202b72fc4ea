/// What work in progress leaves behind.
enum Leftovers {
  // Put together here, so that this file does not find itself.
  static let reminders: Set<Substring> = [
    "TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK",
  ]
  private static let machineFolders = ["work", "root", "home"].map { "/" + $0 + "/" }

  static func reminders(in files: [TextFile]) -> [Offence] {
    files.flatMap { file in
      file.lines.enumerated().flatMap { index, line in
        Word.all(in: line).filter { reminders.contains($0.text) }.map {
          Offence(path: file.path, line: index + 1, message: "`\($0.text)`: do it or file it")
        }
      }
    }
  }

  /// Absolute paths of one machine; the same folder within a longer path or an address passes.
  static func machinePaths(in files: [TextFile]) -> [Offence] {
    files.flatMap { file in
      file.lines.enumerated().filter { _, line in
        machineFolders.contains { folder in
          line.ranges(of: folder).contains { range in
            let before = line[..<range.lowerBound].last ?? " "
            return !(before.isLetter || before.isNumber || "_-.~}>)*".contains(before))
          }
        }
      }.map { index, _ in
        Offence(path: file.path, line: index + 1, message: "the path of one machine")
      }
    }
  }

  static func commentedOutCode(in files: [SwiftFile]) -> [Offence] {
    files.flatMap { file in
      file.comments.enumerated().filter { _, line in
        let text = line.trimmingPrefix(while: \.isWhitespace)
        return text.hasPrefix("//") && !text.hasPrefix("///") && readsAsCode(text.dropFirst(2))
      }.map { index, _ in
        Offence(path: file.path, line: index + 1, message: "commented-out code")
      }
    }
  }

  static func built(among tracked: [String]) -> [Offence] {
    tracked.filter { path in
      let parts = path.split(separator: "/")
      return parts.contains { $0.hasPrefix(".build") } || parts.last == "Package.resolved"
    }.map { Offence(path: $0, line: 0, message: "a product of the build is tracked by git") }
  }

  /// Cautious on purpose: a sentence that names code must pass.
  private static func readsAsCode(_ comment: Substring) -> Bool {
    let text = comment.trimming(while: \.isWhitespace)
    let words = Word.all(in: text)
    guard let first = words.first?.text else { return text == "}" || text == "{" }
    let isCall = words[0].isCalled || text.dropFirst(first.count).first == "."
    if text.hasSuffix("{") || text.hasSuffix("{ }") || text.hasSuffix("{}") { return true }
    switch first {
    case "let", "var": return text.contains("=") || words[1...].first?.after.first == ":"
    case "func": return words[1...].first?.isCalled == true
    case "import": return words.count == 2 && text.last != "."
    case "return", "try", "throw", "await", "guard":
      let callee = text.dropFirst(first.count + 1).prefix { $0 != "(" }
      return text.hasSuffix(")") && !callee.contains(" ")
    default: break
    }
    // A manual page, such as poll(2), is not a call.
    let isWholeCall = isCall && text.hasSuffix(")") && !text.contains(" ") && words.count > 2
    let assigned = text.firstRange(of: " = ").map { !text[..<$0.lowerBound].contains(" ") } ?? false
    let isStatement = text.hasSuffix(";") && (isCall || assigned)
    return isWholeCall || isStatement || (assigned && text.hasSuffix(")"))
  }
}

extension Substring {
  func trimming(while isBlank: (Character) -> Bool) -> Substring {
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
