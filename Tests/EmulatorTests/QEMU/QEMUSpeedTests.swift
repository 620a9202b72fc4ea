import Firmware
import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// What a press takes on a Cortex-M0 of 16 MHz, by the board's own clock: QEMU counts instructions,
/// two cycles each. What it has no time for comes on top: 19 words of flash, 46 µs each.
struct QEMUSpeedTests {
  private static let presses = 20
  /// That of a clean contact, in µs.
  private static let debounce: UInt64 = 15_000

  /// The fastest of twenty takes some 1.5 ms, the slowest 2.5. QEMU's UART has no time either: a
  /// frame, each byte with its interrupt, is sent at once.
  @Test func `a press of a micro:bit is stored within 2.5 ms of its debounce, and sent within 4`()
    throws
  {
    let board = try NRF51(
      firmware: BoardFirmware.keychain(.microbit).path(), flash: FlashFile(path: nil),
      isCounted: true)
    defer { board.machine.kill() }
    try board.boot(.powerOn)
    let wire = BoardWire(board.machine)
    _ = try wire.event()
    try wire.ask(Hello(role: .host, session: 7, software: Keychain.software))
    _ = try wire.hear { (hello: Hello) in hello.session }
    var stored: [UInt64] = []
    var sent: [UInt64] = []
    for _ in 0..<Self.presses {
      try board.setButton(closed: true)
      let press = try wire.event { $0.identity.kind == .pressed }.identity
      try wire.ask(EventAck(number: press.number, identityCRC: press.crc))
      try board.setButton(closed: false)
      let trace = try wire.trace().filter { $0.argument == press.number.rawValue }
      stored.append(try time(of: .eventCommitted, in: trace) - press.clock - Self.debounce)
      sent.append(try time(of: .eventWritten, in: trace) - press.clock - Self.debounce)
      let opened = try wire.clock()
      while try wire.clock() < opened + 100_000 {}
    }
    stored.sort()
    sent.sort()
    print("a press in QEMU that counts: stored \(stored) µs behind the debounce, sent \(sent) µs")
    #expect(stored[Self.presses / 2] <= 2_500, "\(stored)")
    #expect(sent[Self.presses / 2] <= 4_000, "\(sent)")
  }

  private func time(of code: TraceEntry.Code, in trace: [TraceEntry]) throws -> UInt64 {
    try #require(trace.last { $0.code == code }).clock
  }
}
