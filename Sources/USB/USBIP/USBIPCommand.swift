/// What a host's kernel says over the connection of an imported device.
public enum USBIPCommand: Hashable, Sendable {
  case submit(USBRequestBlock)
  /// The host takes the URB `victim` back.
  case unlink(sequence: UInt32, victim: UInt32)
}

/// One transfer that a host asks for: an URB, as Linux calls it.
public struct USBRequestBlock: Hashable, Sendable {
  /// By which its answer and its unlinking name it.
  public var sequence: UInt32
  /// 0...15.
  public var endpoint: UInt8
  /// To the host.
  public var isIn: Bool
  /// Bytes: of `data`, or the most that an answer may have.
  public var length: Int
  /// Of a control transfer; zeros otherwise.
  public var setup: SetupPacket
  /// What goes to the device; empty for IN.
  public var data: [UInt8]

  public init(
    sequence: UInt32, endpoint: UInt8, isIn: Bool, length: Int,
    setup: SetupPacket = SetupPacket(), data: [UInt8] = []
  ) {
    self.sequence = sequence
    self.endpoint = endpoint
    self.isIn = isIn
    self.length = length
    self.setup = setup
    self.data = data
  }
}
