/// A Swift file with two further views of its lines, each byte in its place: `code`, where comments
/// and literal text are blank, and `comments`, where everything else is.
struct SwiftFile {
  let path: String
  let lines: [Substring]
  let code: [Substring]
  let comments: [Substring]

  init(_ file: TextFile) {
    path = file.path
    lines = file.lines
    let kinds = SyntaxKinds.of(file.text)
    code = Self.lines(file.text, where: kinds) { $0 == .code }
    comments = Self.lines(file.text, where: kinds) { $0 == .comment }
  }

  init(path: String, text: String) {
    self.init(TextFile(path: path, text: text))
  }

  /// The folder below Sources or Tests: the target's name.
  var target: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : ""
  }

  private static func lines(
    _ text: String, where kinds: [SyntaxKind], keep: (SyntaxKind) -> Bool
  ) -> [Substring] {
    let newline = UInt8(ascii: "\n")
    let bytes = zip(text.utf8, kinds).map { byte, kind in
      byte == newline || keep(kind) ? byte : UInt8(ascii: " ")
    }
    return TextFile(path: "", text: String(decoding: bytes, as: UTF8.self)).lines
  }
}
