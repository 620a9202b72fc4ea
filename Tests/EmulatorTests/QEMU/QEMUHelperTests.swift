import SerialIO
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// What a Cortex-M0 has no instructions for, computed on it in QEMU and on this host.
struct QEMUHelperTests {
  private static let rounds = 2_000

  @Test func `products, quotients and remainders in QEMU are those of this host`() throws {
    let board = try NRF51(firmware: BoardFirmware.helpers.path(), flash: FlashFile(path: nil))
    defer { board.machine.kill() }
    try board.boot(.powerOn)
    var bytes: [UInt8] = []
    try board.machine.drain("wait for") {
      bytes += board.machine.read(uart: 0)
      return bytes.count >= Self.rounds * 16
    }
    let said = bytes.withUnsafeBytes { raw in
      (0..<Self.rounds * 2).map { raw.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }
    var numbers = SeededGenerator(seed: 0)
    for round in 0..<Self.rounds {
      let (a, b) = (numbers.nextOfAnySize(), numbers.nextOfAnySize())
      let (dividend, divisor) = (UInt32(truncatingIfNeeded: a), UInt32(truncatingIfNeeded: b))
      let division =
        divisor == 0 ? 0 : UInt64(dividend / divisor) << 32 | UInt64(dividend % divisor)
      #expect(said[round * 2] == a &* b, "\(a) times \(b)")
      #expect(said[round * 2 + 1] == division, "\(dividend) by \(divisor)")
    }
  }
}

extension SeededGenerator {
  /// As Boards/nrf5/Helpers has them.
  fileprivate mutating func nextOfAnySize() -> UInt64 {
    let number = next()
    return number >> (number & 63)
  }
}
