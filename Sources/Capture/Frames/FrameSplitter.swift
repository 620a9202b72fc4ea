import WireProtocol

/// A run of bytes between two delimiters: a frame or damage.
public struct WireRun: Equatable, Sendable {
  /// A whole frame, or the reason why the bytes are none.
  public enum Content: Equatable, Sendable {
    /// The body of a whole frame: head, type, seq, payload, without the CRC.
    case frame(body: [UInt8])
    case damaged(Damage)
  }

  /// The bytes on the wire, with a delimiter at each end where one was there.
  public let bytes: [UInt8]
  /// The frame's body, or the damage.
  public let content: Content

  /// For callers that have only one of both; `bytes` and `content` are not compared.
  public init(bytes: [UInt8], content: Content) {
    self.bytes = bytes
    self.content = content
  }
}

/// Splits one direction of a line into runs, whatever the sizes of the reads, and keeps the bytes
/// of each run. A ``FrameDecoder`` alone drops them once it has judged them.
///
/// Of several zero bytes in a row, one goes with the frame that follows; the others are skipped.
/// The splitter holds at most `maxRunSize` bytes.
public struct FrameSplitter: Sendable {
  /// Bytes; a longer run comes in pieces. It is twice the longest frame, so two frames whose
  /// delimiter was lost are one piece.
  public static let maxRunSize = 512

  private var run: [UInt8] = []
  private var isSkipping = false

  /// Begins with nothing held.
  public init() {}

  /// Returns the runs that `bytes` complete, in order.
  public mutating func cut(_ bytes: some Sequence<UInt8>) -> [WireRun] {
    var runs: [WireRun] = []
    for byte in bytes {
      let isOpened = run.last == 0
      if byte == 0, run.isEmpty || isOpened {
        if isSkipping { isSkipping = false }
        run = [0]
        continue
      }
      run.append(byte)
      if byte == 0 {
        runs.append(take())
        isSkipping = false
      } else if run.count == Self.maxRunSize {
        runs.append(take())
        isSkipping = true
      }
    }
    return runs
  }

  /// Call it when the line has ended: it gives the bytes whose delimiter never came, and begins
  /// anew. Nil where nothing but delimiters is held.
  public mutating func flush() -> WireRun? {
    defer { self = FrameSplitter() }
    guard run.contains(where: { $0 != 0 }) else { return nil }
    return WireRun(
      bytes: run, content: .damaged(isSkipping ? .restOfTooLong : Self.judgeUnfinished(run)))
  }

  private mutating func take() -> WireRun {
    defer { run = [] }
    let isWhole = run.last == 0
    let content: WireRun.Content =
      isSkipping
      ? .damaged(.restOfTooLong) : isWhole ? Self.judge(run) : .damaged(.tooLong)
    return WireRun(bytes: run, content: content)
  }

  private static func judgeUnfinished(_ run: [UInt8]) -> Damage {
    run.count >= maxRunSize ? .tooLong : .unfinished
  }

  private static func judge(_ run: [UInt8]) -> WireRun.Content {
    run.withUnsafeBytes { bytes in
      var chunk = bytes
      var decoder = FrameDecoder()
      switch decoder.next(&chunk) {
      case .frame: return .frame(body: decoder.withBody { Array($0) })
      case .refused(let refusal): return .damaged(Damage(refusal))
      case nil: return .damaged(.unfinished)
      }
    }
  }
}
