public import AlertCore
public import Foundation

/// `CheckedFeed` as a bridge on another host posts it, and as it came: payloads are those of the
/// wire protocol, in base64.
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

  public typealias Echo = FeedEcho

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

/// What was committed of a batch's events when it was answered.
public struct FeedAnswer: Codable, Equatable, Sendable {
  /// EVENT_ACK payloads. What is missing follows in the stream.
  public var acks: [Data]

  public init(acks: [Data]) { self.acks = acks }
}
