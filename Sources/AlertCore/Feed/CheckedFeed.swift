import FobBase
package import WireProtocol

/// What one keychain's line has brought, as a bridge on another host says it to its core: nothing
/// in it is out of bounds.
///
/// It says how the link is, and not what became of it: so it may be said again, and a core that was
/// restarted knows all with the next.
package struct CheckedFeed: Equatable, Sendable {
  /// What a keychain can say through a bridge.
  package enum Input: Equatable, Sendable {
    /// - age: for how long its first edge was past when the batch was sent, at least and at most,
    ///   µs; nil where no clock fit tells.
    case event(EventRecord, age: ClosedRange<Int64>?)
    case barePress(EventIdentity)
    case heartbeat(Heartbeat)
    case position(PositionFix)

    /// What the core acks it by.
    var ack: EventAck? {
      switch self {
      case .event(let record, _): EventAck(record.identity)
      case .barePress(let identity): EventAck(identity)
      case .heartbeat, .position: nil
      }
    }
  }

  /// In bytes.
  package static let maxReasonSize = 400
  /// Ten years, in µs: older than any keychain's events, and far from the end of the numbers.
  package static let oldest: Int64 = 315_576_000_000_000

  /// Made anew by each run of a bridge.
  package let bridge: String
  /// Which of the bridge's lines, from 0.
  package let line: Int
  /// Grows with each batch of a line.
  package let sequence: Int64
  /// Nil: no stream is open.
  package let echo: FeedEcho?
  /// Why the link was down since the last batch.
  package let down: String?
  /// Why the line cannot be opened.
  package let trouble: String?
  /// Of the device, where the link is up.
  package let hello: Hello?
  /// In the order in which the device's frames came.
  package let inputs: [Input]

  /// Nothing is checked here: whoever reads a batch from outside checks it first.
  package init(
    bridge: String, line: Int, sequence: Int64, echo: FeedEcho?, down: String?, trouble: String?,
    hello: Hello?, inputs: [Input]
  ) {
    self.bridge = bridge
    self.line = line
    self.sequence = sequence
    self.echo = echo
    self.down = down
    self.trouble = trouble
    self.hello = hello
    self.inputs = inputs
  }
}

/// The core's clock, as the stream told it last.
public struct FeedEcho: Codable, Equatable, Sendable {
  /// The core's boot clock, µs.
  public var clock: Int64
  /// For how long the bridge knew it when it sent the batch, µs.
  public var held: Int64

  /// Both in µs.
  package init(clock: Int64, held: Int64) {
    self.clock = clock
    self.held = held
  }
}
