/// Cuts a stream into lines of bounded length. How the stream was cut into reads changes nothing.
package struct LineSplitter {
  package enum Item: Hashable {
    /// Without its LF or CR LF, never empty: empty lines are passed over.
    case line([UInt8])
    /// In place of a line over the limit; the lines around it are unharmed.
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var lineStart = 0
  private var searched = 0
  private var isSkipping = false

  package init(limit: Int) { self.limit = limit }

  /// Whether a line has begun that has not ended.
  var hasUnfinishedLine: Bool { isSkipping || lineStart < bytes.count }

  package mutating func append(_ new: some Sequence<UInt8>) {
    if lineStart > 0 {
      bytes.removeFirst(lineStart)
      searched -= lineStart
      lineStart = 0
    }
    bytes.append(contentsOf: new)
  }

  package mutating func next() -> Item? {
    while let end = bytes[searched...].firstIndex(of: 0x0A) {
      var line = bytes[lineStart..<end]
      lineStart = end + 1
      searched = lineStart
      let wasSkipping = isSkipping
      isSkipping = false
      if line.last == 0x0D { line.removeLast() }
      if wasSkipping || line.count > limit { return .tooLong }
      if !line.isEmpty { return .line(Array(line)) }
    }
    searched = bytes.count
    // One more than the limit may still be the CR of a line that fits.
    if bytes.count - lineStart > limit + 1 || isSkipping {
      isSkipping = true
      bytes.removeAll(keepingCapacity: true)
      lineStart = 0
      searched = 0
    }
    return nil
  }
}
