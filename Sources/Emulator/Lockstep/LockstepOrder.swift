package import WireProtocol

/// What a host orders of a board whose time it grants (Boards/lm3s6965evb/LOCKSTEP.md).
package enum LockstepOrder: Equatable, Sendable {
  case boot(LockstepBoot)
  case grant(LockstepGrant)
}

/// The first order of a boot: what no clock can say.
package struct LockstepBoot: Equatable, Sendable {
  package var nonce: UInt32
  package var cause: ResetCause
  package var isClosed: Bool
  package var millivolts: UInt16

  /// As it goes to UART2: ten bytes.
  var bytes: [UInt8] {
    var bytes = [UInt8(ascii: "B")]
    bytes.append(half: UInt16(truncatingIfNeeded: nonce))
    bytes.append(half: UInt16(truncatingIfNeeded: nonce >> 16))
    bytes.append(half: UInt16(cause.rawValue))
    bytes.append(isClosed ? 1 : 0)
    bytes.append(half: millivolts)
    return bytes
  }
}

/// Time that passes. What comes with it is there at the end of its first millisecond; the firmware
/// is polled at the end of each.
package struct LockstepGrant: Equatable, Sendable {
  /// What the queues of the board hold.
  package static let maxLinkBytes = 256
  package static let maxGPS = 64

  package var milliseconds: UInt16
  /// Bytes from the host, at most ``maxLinkBytes``.
  package var link: [UInt8] = []
  /// Bytes from the GPS receiver, at most ``maxGPS``.
  package var gps: [UInt8] = []
  package var isClosed: Bool
  package var millivolts: UInt16

  /// As it goes to UART2: ten bytes. `link` and `gps` go to the UARTs of their own.
  var bytes: [UInt8] {
    precondition(link.count <= Self.maxLinkBytes && gps.count <= Self.maxGPS)
    var bytes = [UInt8(ascii: "G")]
    bytes.append(half: milliseconds)
    bytes.append(half: UInt16(link.count))
    bytes.append(half: UInt16(gps.count))
    bytes.append(isClosed ? 1 : 0)
    bytes.append(half: millivolts)
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(half value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }
}
