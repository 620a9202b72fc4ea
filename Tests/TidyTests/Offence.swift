import Testing

/// One breach of a house rule; `line` counts from 1, 0 stands for the whole file.
struct Offence: CustomStringConvertible {
  let path: String
  let line: Int
  let message: String

  var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}

/// Reports every offence as an issue of its own.
func expectNone(_ offences: [Offence], sourceLocation: SourceLocation = #_sourceLocation) {
  for offence in offences {
    Issue.record(Comment(rawValue: offence.description), sourceLocation: sourceLocation)
  }
}
