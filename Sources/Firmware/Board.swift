public import FobBase
public import WireProtocol

/// The hardware below the firmware. Everything that differs between a desk, a simulation and a
/// Cortex-M is behind these few calls, and none of them decides anything.
public protocol Board {
  /// The same for ever; the top bit marks a bench device.
  var deviceID: DeviceID { get }
  /// Random and not 0, new at each boot; part of the identity of every event.
  var bootNonce: UInt32 { get }
  /// Why this boot began. After `powerOn` a closed button is a fault and no press.
  var resetCause: ResetCause { get }

  /// Time since boot. It must not run backwards; the firmware copes with a clock that does.
  mutating func now() -> Instant

  /// The next change of the contact, in order, with the moment at which it happened; nil when there
  /// is none.
  mutating func nextButtonEdge() -> ButtonEdge?
  /// The level of the contact now, before debouncing.
  mutating func isButtonClosed() -> Bool
  /// Called at each poll, also without a change.
  mutating func setLED(_ on: Bool)
  /// Called at each poll, also without a change.
  mutating func setSounder(_ on: Bool)
  /// Rest voltage of the lithium cell; asked at boot and each second. Nil, always: the board has no
  /// battery.
  mutating func batteryMillivolts() -> UInt16?
  /// Whether the board has a GPS receiver, on or off: true unless it says otherwise.
  var hasGPS: Bool { get }
  /// The next byte of the GPS receiver; nil when none has come.
  mutating func nextGPSByte() -> UInt8?

  /// Reads bytes that the host sent, at most as many as fit into `buffer`.
  /// - Returns: their count; 0 when none has come.
  mutating func readLink(_ buffer: UnsafeMutableRawBufferPointer) -> Int
  /// Takes bytes for the host.
  /// - Returns: the count of those that it took. The rest is offered again.
  mutating func writeLink(_ bytes: UnsafeRawBufferPointer) -> Int

  /// Reads non-volatile memory of `Keychain.storeSize` bytes, from `offset` on until `buffer` is
  /// full.
  /// - Returns: false when the memory failed.
  mutating func readStore(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool
  /// Writes non-volatile memory from `offset` on. Power cut in between may leave any part of it
  /// written.
  /// - Returns: false when the memory failed.
  mutating func writeStore(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool
}

extension Board {
  /// Most have one.
  public var hasGPS: Bool { true }
}

/// A change of the contact, before debouncing.
public struct ButtonEdge: Equatable, Sendable {
  /// The level from `at` on.
  public var closed: Bool
  /// When it happened, by the clock of the board, and not when it was read.
  public var at: Instant

  /// `at` is when it happened, by the clock of the board.
  public init(closed: Bool, at: Instant) {
    self.closed = closed
    self.at = at
  }
}
