import WireProtocol

/// What went over the lines so far, counted.
public struct FrameStatistics: Sendable {
  public struct Count: Sendable {
    public var toHost = 0
    public var toDevice = 0

    public init() {}
    public var sum: Int { toHost + toDevice }

    mutating func add(_ number: Int, _ direction: Direction) {
      switch direction {
      case .toHost: toHost += number
      case .toDevice: toDevice += number
      }
    }
  }

  /// A longer jump of seq is a boot or an opening of which nothing was heard.
  static let maxGap: UInt16 = 4_096

  private struct Channel: Hashable {
    let device: String
    let direction: Direction
  }

  private var lastSequence: [Channel: UInt16] = [:]
  private var counts: [String: Count] = [:]
  public private(set) var damaged = Count()
  /// Frames whose seq was passed over: damaged or never seen.
  public private(set) var missing = Count()
  /// Frames with the RESENT bit.
  public private(set) var resent = Count()
  /// Chunks that a tap could not hand over.
  public var lostChunks = 0

  public init() {}

  /// The types seen, by name, in the order of `messages.json`; unknown ones last.
  public var frames: [(name: String, count: Count)] {
    let known = MessageNames.all
    let others = counts.keys.filter { !known.contains($0) }.sorted()
    return (known + others).compactMap { name in counts[name].map { (name, $0) } }
  }

  public mutating func count(_ description: FrameDescription, device: String) {
    let direction = description.direction
    switch description.content {
    case .damaged(.restOfTooLong): break
    case .damaged: damaged.add(1, direction)
    case .frame(let frame):
      counts[frame.name, default: Count()].add(1, direction)
      if frame.head.isResent { resent.add(1, direction) }
      let way = Channel(device: device, direction: direction)
      missing.add(gap(before: frame.sequence, on: way), direction)
      lastSequence[way] = frame.sequence
    }
  }

  /// `seq` begins at 0 at boot or opening, and wraps.
  private func gap(before sequence: UInt16, on way: Channel) -> Int {
    guard let last = lastSequence[way] else { return 0 }
    let passed = sequence &- last &- 1
    if sequence == 0, last != .max { return 0 }
    return passed < Self.maxGap ? Int(passed) : 0
  }
}
