import FobBase
public import Foundation
import WireProtocol

/// What one keychain's line has brought, as a bridge on another host posts it.
///
/// Payloads are those of the wire protocol, in base64. A batch says how the link is, and not what
/// became of it: so it may be posted again, and a core that was restarted knows all with the next.
public struct FeedBatch: Codable, Equatable, Sendable {
  /// Made anew by each run of a bridge: 16 hexadecimal digits.
  public var bridge: String
  /// Which of the bridge's lines, from 0.
  public var line: Int
  /// Grows with each batch of a line.
  public var sequence: Int64
  /// The core's clock, as the stream told it last; nil: no stream is open.
  public var echo: Echo?
  /// Why the link was down since the last batch.
  public var down: String?
  /// Why the line cannot be opened.
  public var trouble: String?
  /// HELLO of the device, where the link is up.
  public var hello: Data?
  /// In the order in which the device's frames came.
  public var inputs: [Input]

  public struct Echo: Codable, Equatable, Sendable {
    /// The core's boot clock, µs.
    public var clock: Int64
    /// For how long the bridge knew it when it sent the batch, µs.
    public var held: Int64
  }

  public struct Input: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
      /// EVENT.
      case event
      /// The frozen part of an EVENT whose rest cannot be read: 29 bytes.
      case barePress
      /// HEARTBEAT.
      case heartbeat
      /// GPS_FIX.
      case position
    }

    public var kind: Kind
    public var payload: Data
    /// Of an event: for how long its first edge was past when the batch was sent, at least and at
    /// most, µs; nil where no clock fit tells.
    public var age: [Int64]?
  }
}

/// Why a batch was not taken.
public enum FeedRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is no batch: which field, and what it must be.
  case malformed(field: String, must: String)
  /// Too many bridges or lines at one time.
  case full

  public var description: String {
    switch self {
    case .malformed(let field, let must): "\(field) must be \(must)"
    case .full:
      "too many bridges or keychains feed this core; it takes \(FeedTable.mostOfHolder) bridges"
        + " by one token, \(FeedTable.mostBridges) in all, and \(Limits.devices) keychains"
    }
  }
}

/// What was committed of a batch's events when it was answered.
public struct FeedAnswer: Codable, Equatable, Sendable {
  /// EVENT_ACK payloads. What is missing follows in the stream.
  public var acks: [Data]

  public init(acks: [Data]) { self.acks = acks }
}
