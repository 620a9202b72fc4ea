/// Splits a stream into lines of bounded length; it does not matter how the stream was cut into
/// reads.
package struct LineSplitter {
  /// What the stream holds next.
  package enum Item: Hashable {
    /// A line without its LF or CR LF; never empty, since empty lines are skipped.
    case line([UInt8])
    /// Stands for a line over the limit; the lines around it are not affected.
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var lineStart = 0
  private var searched = 0
  private var isSkipping = false

  /// The longest line in bytes, without its line end.
  package init(limit: Int) { self.limit = limit }

  /// A line has begun and not ended.
  var hasUnfinishedLine: Bool { isSkipping || lineStart < bytes.count }

  /// Adds bytes as they were read; `next` takes the lines out.
  package mutating func append(_ new: some Sequence<UInt8>) {
    if lineStart > 0 {
      bytes.removeFirst(lineStart)
      searched -= lineStart
      lineStart = 0
    }
    bytes.append(contentsOf: new)
  }

  /// The next complete line; nil until more bytes are added.
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
    // One byte over the limit may be the CR of a line that fits.
    if bytes.count - lineStart > limit + 1 || isSkipping {
      isSkipping = true
      bytes.removeAll(keepingCapacity: true)
      lineStart = 0
      searched = 0
    }
    return nil
  }
}
