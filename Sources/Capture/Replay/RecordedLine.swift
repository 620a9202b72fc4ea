import FobBase

/// One line of a capture, run by run, from its first packet on.
public struct RecordedLine: Sendable {
  /// Bytes between two delimiters, with the time at which they went over the line.
  public struct Run: Sendable {
    /// Microseconds since the first packet; never less than that of the run before.
    public let at: Int64
    /// Tells which end sent it.
    public let direction: Direction
    /// As on the wire, delimiters included.
    public let bytes: [UInt8]
    /// Head, type, seq and payload; nil where the run is no frame.
    public let body: [UInt8]?

    /// The body field by field.
    var frame: DescribedFrame? { body.map { DescribedFrame(body: $0, direction: direction) } }
  }

  /// The most runs of one line. More are refused, as a replay holds the line in memory.
  public static let maxRuns = 1_000_000

  /// The line's name in the capture.
  public let name: String
  /// In the order of the capture's packets.
  public let runs: [Run]

  /// - Parameters:
  ///   - packets: those of the whole capture, in its order; other lines' are passed over.
  ///   - wanted: the line's name; nil where the capture has only one line.
  /// - Throws: if the capture has no packet, not exactly one such line, or more than ``maxRuns``
  ///   runs.
  public init(_ packets: [CapturedPacket], line wanted: String?) throws(RecordedLineError) {
    var names: [String] = []
    for packet in packets where !names.contains(packet.device) { names.append(packet.device) }
    guard !names.isEmpty else { throw RecordedLineError.empty }
    guard let name = wanted ?? (names.count == 1 ? names[0] : nil) else {
      throw RecordedLineError.severalLines(names)
    }
    guard names.contains(name) else { throw RecordedLineError.unknownLine(name, names) }
    self.name = name
    var runs: [Run] = []
    var start: Int64?
    var latest: Int64 = 0
    for packet in packets where packet.device == name {
      let began = start ?? packet.microseconds
      start = began
      // A machine's clock is set back at times; a line is played in the order of its packets.
      latest = max(latest, Self.elapsed(from: began, to: packet.microseconds))
      var cutter = FrameSplitter()
      for run in cutter.cut(packet.bytes) + [cutter.flush()].compactMap(\.self) {
        let body: [UInt8]? = if case .frame(let body) = run.content { body } else { nil }
        runs.append(Run(at: latest, direction: packet.direction, bytes: run.bytes, body: body))
      }
    }
    guard runs.count <= Self.maxRuns else { throw RecordedLineError.tooLong(runs.count) }
    self.runs = runs
  }

  /// From the first packet to the last, in microseconds.
  public var duration: Int64 { runs.last?.at ?? 0 }

  private static func elapsed(from start: Int64, to end: Int64) -> Int64 {
    let (elapsed, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? 0 : elapsed
  }
}

/// Why a line cannot be taken from a capture.
public enum RecordedLineError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case severalLines([String])
  case unknownLine(String, [String])
  case tooLong(Int)
  case nothingToPlay(Direction)
  case nothingToCompare(Direction)

  public var description: String {
    switch self {
    case .empty: "it holds no packet"
    case .severalLines(let names):
      "it holds \(names.count) lines; choose one with --line: \(Self.list(names))"
    case .unknownLine(let name, let names):
      "it has no line '\(PrintableText.of(name))'; it has \(Self.list(names))"
    case .tooLong(let runs):
      "\(runs) frames on one line, more than \(RecordedLine.maxRuns); let editcap cut it"
    case .nothingToPlay(let direction):
      "nothing in it goes to the \(direction.rawValue), so there is nothing to play"
    case .nothingToCompare(let direction):
      "nothing in it that goes to the \(direction.rawValue) can be compared: no ack, no state;"
        + " capture at the bridge's socket, from before the first press on"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).map { PrintableText.of($0) }.joined(separator: ", ")
  }
}
