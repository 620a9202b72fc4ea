import WireProtocol

/// What a host asks of a keychain beside its line, by a vendor request on endpoint 0: it works
/// while the serial port is open, and needs no interface claimed. `bRequest` is the message's type,
/// the data stage its payload without a frame (PROTOCOL.md, section 14).
public enum KeychainQuestion: Hashable, Sendable {
  case hello
  case heartbeat
  case firmwareInfo
  /// With the payload of LED_SET, of whatever length.
  case ledSet([UInt8])

  /// Nil for what no keychain answers.
  init?(_ setup: SetupPacket, _ data: [UInt8]) {
    guard setup.recipient == .device, setup.value == 0, setup.index == 0,
      let type = MessageType(rawValue: setup.request)
    else { return nil }
    switch (type, setup.isIn) {
    case (.hello, true): self = .hello
    case (.heartbeat, true): self = .heartbeat
    case (.firmwareInfo, true): self = .firmwareInfo
    case (.ledSet, false): self = .ledSet(data)
    default: return nil
    }
  }
}

/// A question that waits for its answer.
public struct VendorRequest: Hashable, Sendable {
  public let question: KeychainQuestion
  let sequence: UInt32
  /// Bytes that the host takes.
  let limit: Int
  let isIn: Bool
}
