import WireProtocol

/// Counts what has gone over the lines so far.
public struct FrameStatistics: Sendable {
  /// A number for each direction of a line.
  public struct Count: Sendable {
    /// From devices to their hosts.
    public var toHost = 0
    /// From hosts to their devices.
    public var toDevice = 0

    /// Zero both ways.
    public init() {}
    /// Both directions together.
    public var sum: Int { toHost + toDevice }

    mutating func add(_ number: Int, _ direction: Direction) {
      switch direction {
      case .toHost: toHost += number
      case .toDevice: toDevice += number
      }
    }
  }

  /// A jump of seq this large or larger is taken for a boot or an opening that was not heard.
  static let maxGap: UInt16 = 4_096

  private struct Channel: Hashable {
    let device: String
    let direction: Direction
  }

  private var lastSequence: [Channel: UInt16] = [:]
  private var counts: [String: Count] = [:]
  /// Runs that are no frame; an over-long run counts once.
  public private(set) var damaged = Count()
  /// Frames whose seq was skipped: they came damaged or not at all.
  public private(set) var missing = Count()
  /// Frames with the RESENT bit.
  public private(set) var resent = Count()
  /// Chunks of bytes that a tap could not deliver. The owner of the statistics adds them.
  public var lostChunks = 0

  /// Everything is zero.
  public init() {}

  /// The types seen, by name, in the order of `messages.json`; unknown ones last.
  public var frames: [(name: String, count: Count)] {
    let known = MessageNames.all
    let others = counts.keys.filter { !known.contains($0) }.sorted()
    return (known + others).compactMap { name in counts[name].map { (name, $0) } }
  }

  /// Adds one run. Gaps in seq are looked for in each direction of each `device`.
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

  /// How many frames are missing before this one. `seq` begins at 0 at boot or opening, and wraps.
  private func gap(before sequence: UInt16, on way: Channel) -> Int {
    guard let last = lastSequence[way] else { return 0 }
    let passed = sequence &- last &- 1
    if sequence == 0, last != .max { return 0 }
    return passed < Self.maxGap ? Int(passed) : 0
  }
}
