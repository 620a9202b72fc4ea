import FobBase
package import WireProtocol

/// A batch from one keychain's line, sent by a bridge on another host to its core. All values are
/// checked to be within bounds.
///
/// It gives the present state of the link and not its changes. So it can be repeated, and a core
/// that was restarted knows everything after the next batch.
package struct CheckedFeed: Equatable, Sendable {
  /// An input of a keychain that a bridge passes on.
  package enum Input: Equatable, Sendable {
    /// - age: how long before the sending of the batch its first edge was, at least and at most,
    ///   µs; nil where no clock fit tells.
    case event(EventRecord, age: ClosedRange<Int64>?)
    case barePress(EventIdentity)
    case heartbeat(Heartbeat)
    case position(PositionFix)
    /// EVENT, HEARTBEAT or GPS_FIX that the keychain has sealed, or its PROOF, for the core to
    /// judge. `age` is that of an event.
    case relayed(RelayedFrame, age: ClosedRange<Int64>?)

    /// The ack that the core answers with; nil: it gets none.
    var ack: EventAck? {
      switch self {
      case .event(let record, _): EventAck(record.identity)
      case .barePress(let identity): EventAck(identity)
      case .relayed(let frame, _):
        frame.type == .event ? frame.read(EventRecord.self).map { EventAck($0.identity) } : nil
      case .heartbeat, .position: nil
      }
    }
  }

  /// Of `down` and `trouble`, in bytes.
  package static let maxReasonSize = 400
  /// The greatest age of an event, ten years in µs: older than any keychain's events, and far from
  /// overflow.
  package static let oldest: Int64 = 315_576_000_000_000

  /// The bridge's name for itself, new in each of its runs.
  package let bridge: String
  /// Which of the bridge's lines, from 0.
  package let line: Int
  /// Grows with each batch of a line. A gap says that something was lost.
  package let sequence: Int64
  /// The core's clock as last heard; nil: no stream is open.
  package let echo: FeedEcho?
  /// Why the link was down since the last batch.
  package let down: String?
  /// Why the line cannot be opened.
  package let trouble: String?
  /// The device's HELLO; nil while the link is down.
  package let hello: Hello?
  /// The device's inputs, in the order in which its frames came.
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

/// The core's clock as last heard on the stream, sent back so that the core can date a batch.
public struct FeedEcho: Codable, Equatable, Sendable {
  /// The core's boot clock, µs.
  public var clock: Int64
  /// How long before sending the batch the bridge had heard it, µs.
  public var held: Int64

  /// Both in µs.
  package init(clock: Int64, held: Int64) {
    self.clock = clock
    self.held = held
  }
}
