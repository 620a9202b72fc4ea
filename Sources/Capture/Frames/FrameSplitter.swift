import WireProtocol

/// A run of bytes between two delimiters, and what it is.
public struct WireRun: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    /// The body of a whole frame: head, type, seq, payload, without the CRC.
    case frame(body: [UInt8])
    case damaged(Damage)
  }

  /// As on the wire, with the delimiters at both ends that are there.
  public let bytes: [UInt8]
  public let content: Content

  public init(bytes: [UInt8], content: Content) {
    self.bytes = bytes
    self.content = content
  }
}

/// Cuts one direction of a line into runs, however it was cut into reads, and keeps the bytes of
/// each: what a decoder alone throws away when it has judged them.
///
/// Of several zero bytes in a row one goes with the frame that follows; the others mean nothing and
/// are passed over. At most `maxRunSize` bytes are held.
public struct FrameSplitter: Sendable {
  /// A longer run is handed out in pieces. Twice what a frame may take, so that two frames whose
  /// delimiter was lost are one piece.
  public static let maxRunSize = 512

  private var run: [UInt8] = []
  private var isSkipping = false

  public init() {}

  /// The runs that `bytes` complete, in order.
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

  /// What is left when the line has ended: bytes whose delimiter did not come.
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
