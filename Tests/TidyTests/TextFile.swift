/// One file as it was read; `path` is relative to the repository root.
struct TextFile {
  let path: String
  let text: String
  let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines
  }

  var suffix: String { Self.suffix(of: path) }

  /// Written by hand and compiled or run, in contrast to prose and data.
  var isCode: Bool {
    ["swift", "c", "h", "s", "sh", "py", "lua"].contains(suffix) || suffix.isEmpty
  }

  static func suffix(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }
}
