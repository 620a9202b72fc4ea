import FobBase
package import SerialIO
package import WireProtocol

/// The firmware on the Cortex-M in QEMU, in the variant whose time is granted.
package final class LockstepMachine: LockstepTarget {
  private static let ready: UInt8 = 0x05
  private static let done: UInt8 = 0x06
  private static let linkUART = 0
  private static let gpsUART = 1
  private static let orderUART = 2

  private let board: LM3S6965
  private var hasBooted = false
  private var link: [UInt8] = []
  private var marks: [UInt8] = []

  /// - Parameter store: the file behind the EEPROM; all zeros to begin with.
  package init(firmware: String, store: String) throws(IOFailure) {
    board = try LM3S6965(firmware: firmware, store: store, uarts: 3)
  }

  package func carryOut(_ order: LockstepOrder) throws(IOFailure) -> [UInt8] {
    switch order {
    case .boot(let boot):
      if hasBooted { try board.reset(boot.cause) } else { try board.boot(boot.cause) }
      hasBooted = true
      guard try nextMark() == Self.ready else { throw failure("start") }
      try board.machine.write(boot.bytes, uart: Self.orderUART)
    case .grant(let grant):
      if !grant.link.isEmpty { try board.machine.write(grant.link, uart: Self.linkUART) }
      if !grant.gps.isEmpty { try board.machine.write(grant.gps, uart: Self.gpsUART) }
      try board.machine.write(grant.bytes, uart: Self.orderUART)
    }
    guard try nextMark() == Self.done else { throw failure("grant time to") }
    let low = try nextMark()
    let count = Int(low) | Int(try nextMark()) << 8
    try wait { link.count >= count }
    defer { link.removeFirst(count) }
    return Array(link[..<count])
  }

  package func stop() { board.machine.kill() }

  private func nextMark() throws(IOFailure) -> UInt8 {
    try wait { !marks.isEmpty }
    return marks.removeFirst()
  }

  private func wait(_ isSo: () -> Bool) throws(IOFailure) {
    try board.machine.drain("wait for") { () throws(IOFailure) in
      link += board.machine.read(uart: Self.linkUART)
      marks += board.machine.read(uart: Self.orderUART)
      return isSo()
    }
  }

  private func failure(_ operation: String) -> IOFailure {
    board.machine.failure(
      operation, "it does not keep to lockstep: build it by scripts/firmware.sh --lockstep")
  }
}

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
