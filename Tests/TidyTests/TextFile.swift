import Glibc

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

extension Substring {
  /// As `contains`, by bytes: a debug build takes minutes to read all lines by their characters.
  func holds(_ part: some StringProtocol) -> Bool {
    let wanted = Array(part.utf8)
    guard let first = wanted.first else { return true }
    return utf8.withContiguousStorageIfAvailable { text in
      var at = 0
      while at + wanted.count <= text.count {
        guard let next = memchr(text.baseAddress! + at, Int32(first), text.count - at) else {
          return false
        }
        at = UnsafeRawPointer(next) - UnsafeRawPointer(text.baseAddress!)
        if at + wanted.count <= text.count, memcmp(next, wanted, wanted.count) == 0 { return true }
        at += 1
      }
      return false
    } ?? contains(part)
  }
}
