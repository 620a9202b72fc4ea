import FobBase
public import WireProtocol

/// A message of a core to a bridge on another host, as an event of its stream.
public enum FeedSignal: Equatable, Sendable {
  /// Sent each 2 s, with the core's boot clock, µs.
  case heartbeat(clock: Int64)
  /// An event of a line is committed.
  case ack(line: Int, EventAck)
  /// A line's device is to show this from now on.
  case indicate(Shown)
  /// A frame for the keychain of a line (from 0), which the bridge puts on it as it is.
  case frame(line: Int, RelayedFrame)

  /// An indication for the keychain of one line, in the shape of its JSON.
  public struct Shown: Codable, Equatable, Sendable {
    /// Which of the bridge's lines, from 0.
    public var line: Int
    /// 16 hexadecimal digits.
    public var incident: String
    /// As INDICATE numbers them.
    public var state: UInt8
    /// The detail of INDICATE: in a countdown the seconds left.
    public var detail: UInt8
    /// The keychain may sound.
    public var sounder: Bool

    /// - Parameter line: which of the bridge's, from 0.
    package init(_ line: Int, _ indication: Indication) {
      self.line = line
      let digits = String(indication.incident, radix: 16)
      incident = String(repeating: "0", count: 16 - digits.count) + digits
      state = indication.state.rawValue
      detail = indication.detail
      sounder = indication.sounder
    }

    /// Nil for a state that this version does not know.
    var indication: Indication? {
      guard let incident = UInt64(incident, radix: 16), let state = ShownState(rawValue: state),
        state.canBeIndicated
      else { return nil }
      return Indication(incident: incident, state: state, detail: detail, sounder: sounder)
    }
  }
}

/// Why the core refused a batch.
public enum FeedRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// A field that is wrong, and what it must be.
  case malformed(field: String, must: String)
  /// Too many bridges or lines at one time.
  case full

  public var description: String {
    switch self {
    case .malformed(let field, let must): "\(field) must be \(must)"
    case .full:
      "too many bridges or keychains feed this core; it takes"
        + " \(FeedTable.maxBridgesOfHolder) bridges by one token, \(FeedTable.maxBridges) in all,"
        + " and \(Limits.devices) keychains"
    }
  }
}
