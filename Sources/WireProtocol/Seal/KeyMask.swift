#if !hasFeature(Embedded)
  import FobBase

  /// What watchers may see of one direction of a line: all bytes but the key in PAIR (PROTOCOL.md,
  /// 15.2). Whoever listens to the line itself has the key; what a tap shows is handed on.
  ///
  /// Bytes come when their run ends, or is longer than a frame. A run that is no frame comes
  /// without what may be a PAIR: one bit of it, or of the delimiters beside it, was turned over, or
  /// one byte of it was lost. Not known are a PAIR without its type, and one with two wrong bits in
  /// head and type.
  package struct KeyMask: Sendable {
    /// The bytes since the last delimiter that have not come yet.
    private var run: [UInt8] = []
    /// Head and type of PAIR have gone by in this run, which is no frame.
    private var isCut = false
    /// How many bytes of this run may be the rest of a PAIR if it is no frame: at first, too, for a
    /// tap may begin in the middle of one.
    private var hidden = Self.pairRun

    /// Bytes of a PAIR from its code of COBS on to its delimiter, and behind its type.
    private static let pairRun = Pair.size + 9
    private static let behindType = Pair.size + 6

    /// Knows nothing of what has gone by.
    package init() {}

    /// The next bytes of the line, as they may be shown.
    package mutating func masked(_ bytes: [UInt8]) -> [UInt8] {
      var shown: [UInt8] = []
      let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { shown += endRun() + [0] }
        run += part
      }
      if run.count > Limits.maxWireFrameSize {
        // The last byte may be the head of a PAIR.
        shown += damaged(run.dropLast())
        run.removeFirst(run.count - 1)
      }
      return shown
    }

    private mutating func endRun() -> [UInt8] {
      guard !run.isEmpty else { return [] }
      defer {
        run = []
        // A byte that became zero has cut a PAIR in two.
        hidden = isCut ? Self.pairRun : 0
        isCut = false
      }
      if let frame = Self.frame(run) { return frame }
      let type = run.count - Self.behindType - 1
      let isNearPair =
        type >= 0 && (run[type] ^ MessageType.pair.rawValue).nonzeroBitCount <= 1
      return Array(damaged(isNearPair ? run[...type] : run[...]))
    }

    /// Of bytes that are no frame those up to head and type of a PAIR.
    private mutating func damaged(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      guard !isCut else { return [] }
      let type = bytes.indices.dropFirst().first { at in
        bytes[at] == MessageType.pair.rawValue && bytes[at - 1] >> 4 == FrameHead.version
      }
      isCut = type != nil
      let shown = bytes[...(type ?? bytes.endIndex - 1)].dropFirst(hidden)
      hidden = max(0, hidden - bytes.count)
      return shown
    }

    /// The same run, with zeros for the key of a PAIR; nil where it is no frame.
    private static func frame(_ run: [UInt8]) -> [UInt8]? {
      var decoder = FrameDecoder()
      let isFrame = (run + [0]).withUnsafeBytes { wire in
        var rest = wire
        return decoder.next(&rest) == .frame
      }
      guard isFrame else { return nil }
      return decoder.withBody { body in
        guard body[1] == MessageType.pair.rawValue else { return run }
        var blank = Array(body)
        // Behind head, type, seq and session.
        for at in blank.indices.dropFirst(8).prefix(16) { blank[at] = 0 }
        return blank.withUnsafeBytes { bytes in
          WireFrame(FrameBody(raw: bytes)).withBytes { Array($0.dropLast()) }
        }
      }
    }
  }
#endif
