/// What people read is read by no program: for those the log's lines have facts.
enum Sentences {
  /// Of lines that older versions wrote without facts.
  static let reader = "Sources/Storage/LegacySentence.swift"

  static func takenApart(in files: [TextFile]) -> [Offence] {
    files.flatMap { file in
      file.lines.enumerated().filter { _, line in isTakenApart(in: line) }.map { index, _ in
        Offence(
          path: file.path, line: index + 1,
          message: "takes a sentence apart that was made for people: the line has facts")
      }
    }
  }

  /// In whatever language. Tests may hold a sentence to its words.
  static func isProgram(_ file: TextFile) -> Bool {
    ["swift", "js", "py", "sh"].contains(file.suffix) && file.path != reader
      && ["Sources/", "examples/", "scripts/", "Benchmarks/"].contains { file.path.hasPrefix($0) }
  }

  /// Looks into `detail`, or compares it, rather than showing it.
  private static func isTakenApart(in line: Substring) -> Bool {
    guard line.holds("detail") else { return false }
    // By Unicode's rule there is no boundary at a point between letters.
    return looksInto.contains { line.contains($0.wordBoundaryKind(.simple)) }
  }

  private static var looksInto: [Regex<Substring>] {
    [
      #/\bdetail\b["'\])?!,\s]*\.(?:split|slice|match|search|range|ranges|firstRange|drop\w*)\b/#,
      #/\bdetail\b["'\])?!,\s]*\.(?:hasPrefix|hasSuffix|contains|prefix|suffix|firstIndex)\b/#,
      #/\bdetail\b["'\])?!,\s]*\.(?:startsWith|endsWith|includes|indexOf|substring|replace)\b/#,
      #/\bdetail\b["'\])?!,\s]*\.(?:startswith|endswith|find|partition|wholeMatch|firstMatch)\b/#,
      #/\bdetail\b["'\])?!]*\s*[!=]==?\s*["']/#,
      #/["'] in [^:]*\bdetail\b/#,
    ]
  }
}
