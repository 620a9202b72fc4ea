import FobBase
package import SerialIO
package import WireProtocol

/// The lockstep firmware on a board in QEMU: its time passes only as it is granted.
package final class LockstepMachine: LockstepTarget {
  private static let linkUART = 0

  private let board: any QEMUBoard
  private var hasBooted = false
  private var link: [UInt8] = []

  /// - Parameter board: QEMU, stopped, with the ELF file that scripts/firmware.sh --lockstep builds
  ///   for it, and an empty store.
  package init(_ board: any QEMUBoard) { self.board = board }

  /// Carries out an order and returns the bytes that it sent to the host.
  /// - Throws: `IOFailure` with EPROTO for a firmware that is not in lockstep, ETIMEDOUT after 10
  ///   s, ECONNRESET where QEMU has died.
  package func carryOut(_ order: LockstepOrder) throws(IOFailure) -> [UInt8] {
    switch order {
    case .boot(let boot):
      if hasBooted { try board.reset(boot.cause) } else { try board.boot(boot.cause) }
      hasBooted = true
      guard try nextMark() == .ready else { throw failure("start") }
      try board.send(order: boot.bytes)
    case .grant(let grant):
      if !grant.link.isEmpty { try board.machine.write(grant.link, uart: Self.linkUART) }
      try hear(grant.gps)
      try board.send(order: grant.bytes)
    }
    guard case .done(let count) = try nextMark() else { throw failure("grant time to") }
    try wait { link.count >= count }
    defer { link.removeFirst(count) }
    return Array(link[..<count])
  }

  /// Takes the light's changes that the orders since the last call have brought, in their order:
  /// whether it went on.
  package func takeLight() throws(IOFailure) -> [Bool] { try board.takeLight().map(\.isOn) }

  /// Kills QEMU and waits until it is gone.
  package func stop() { board.machine.kill() }

  private func hear(_ gps: [UInt8]) throws(IOFailure) {
    guard !gps.isEmpty else { return }
    var rest = gps
    try wait { () throws(IOFailure) in
      let taken = try rest.span.withUnsafeBytes { (bytes) throws(IOFailure) in
        try board.hear(gps: bytes)
      }
      rest.removeFirst(taken)
      return rest.isEmpty
    }
  }

  private func nextMark() throws(IOFailure) -> LockstepMark {
    var mark: LockstepMark?
    try wait { () throws(IOFailure) in
      mark = try board.takeMark()
      return mark != nil
    }
    guard let mark else { throw failure("hear") }
    return mark
  }

  private func wait(_ isSo: () throws(IOFailure) -> Bool) throws(IOFailure) {
    try board.machine.drain("wait for") { () throws(IOFailure) in
      link += board.machine.read(uart: Self.linkUART)
      return try isSo()
    }
  }

  private func failure(_ operation: String) -> IOFailure {
    board.machine.failure(
      operation, "it does not keep to lockstep: build it by scripts/firmware.sh --lockstep")
  }
}

/// An order to a board in lockstep (Boards/cortex-m/LOCKSTEP.md).
package enum LockstepOrder: Equatable, Sendable {
  case boot(LockstepBoot)
  case grant(LockstepGrant)
}

/// The first order of a boot: the inputs that do not depend on time.
package struct LockstepBoot: Equatable, Sendable {
  /// The board's boot nonce.
  package var nonce: UInt32
  /// Why the board was reset.
  package var cause: ResetCause
  /// Whether the button's contact is closed.
  package var isClosed: Bool
  /// The battery's voltage.
  package var millivolts: UInt16

  /// The order as it goes to the board: ten bytes.
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

/// Grants time. The inputs arrive at the end of its first millisecond; the firmware is polled at
/// the end of each.
package struct LockstepGrant: Equatable, Sendable {
  /// The most bytes of `link`: the board's queue holds no more.
  package static let maxLinkBytes = 256
  /// The most bytes of `gps`: the board's queue holds no more.
  package static let maxGPS = 64

  /// How much time passes.
  package var milliseconds: UInt16
  /// Bytes from the host, at most ``maxLinkBytes``.
  package var link: [UInt8] = []
  /// Bytes from the GPS receiver, at most ``maxGPS``.
  package var gps: [UInt8] = []
  /// Whether the button's contact is closed from the first millisecond on.
  package var isClosed: Bool
  /// The battery's voltage from the first millisecond on.
  package var millivolts: UInt16

  /// The order as it goes to the board: ten bytes. `link` and `gps` go their own ways.
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
