public import FobBase
public import WireProtocol

/// The hardware under the firmware. Everything that differs between a desk, a simulation and a
/// Cortex-M is behind these few calls; everything that matters is in front of them.
public protocol Board {
  var deviceID: DeviceID { get }
  /// Made anew by the board at each boot; part of every event's identity.
  var bootNonce: UInt32 { get }
  var resetCause: ResetCause { get }

  /// Since boot; never runs backwards.
  mutating func now() -> Instant

  /// The contact's next change, in order, with the moment that it happened; nil when there is none.
  mutating func nextButtonEdge() -> ButtonEdge?
  mutating func isButtonClosed() -> Bool
  mutating func setLED(_ on: Bool)
  mutating func setSounder(_ on: Bool)
  mutating func batteryMillivolts() -> UInt16
  mutating func nextGPSByte() -> UInt8?

  /// Bytes that the host sent, at most as many as fit; their count.
  mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int
  /// Bytes for the host; the count of those that were taken. The rest is offered again.
  mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int

  /// Non-volatile memory, byte by byte. False when the memory failed.
  mutating func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool
  mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool
}

public struct ButtonEdge: Equatable, Sendable {
  public var closed: Bool
  public var at: Instant

  public init(closed: Bool, at: Instant) {
    self.closed = closed
    self.at = at
  }
}
