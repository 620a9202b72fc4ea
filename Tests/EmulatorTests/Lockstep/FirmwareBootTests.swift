import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// The firmware as it is delivered, on the Cortex-M in QEMU, with its own clock.
struct FirmwareBootTests {
  @Test func `in QEMU the firmware says HELLO, who it is, and that it was booted, each boot anew`()
    throws
  {
    let scratch = try ScratchDirectory()
    let store = scratch.path("eeprom")
    var image = Data(count: LM3S6965.storeSize)
    image[8_176] = 7
    try image.write(to: URL(filePath: store))
    let board = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    defer { board.machine.kill() }

    try board.boot(.powerOn)
    let first = try Self.firstFrames(of: board)
    #expect(first.hello.deviceID == .bench(7))
    #expect(first.hello.resetCause == .powerOn)
    #expect(first.event.kind == .booted)
    #expect(first.event.number == EventNumber(boot: 1, n: 1))
    #expect(first.event.bootNonce == first.hello.bootNonce)

    try board.reset(.brownOut)
    let second = try Self.firstFrames(of: board)
    #expect(second.hello.resetCause == .brownOut)
    #expect(second.hello.bootCounter == 2)
    #expect(second.hello.bootNonce != first.hello.bootNonce)
    #expect(second.hello.oldestUnacked == first.event.number)
  }

  @Test func `in QEMU a main loop that stands still is ended by the watchdog, which is said`()
    throws
  {
    let scratch = try ScratchDirectory()
    let store = scratch.path("eeprom")
    try Data(count: LM3S6965.storeSize).write(to: URL(filePath: store))
    let board = try LM3S6965(firmware: try BoardFirmware.keychain.path(), store: store)
    defer { board.machine.kill() }
    try board.boot(.powerOn)
    _ = try Self.firstFrames(of: board)

    // Without its tick the main loop sleeps for ever.
    try board.machine.pin("writel 0xE000E010 0", "stop the tick of")
    try board.machine.drain("wait for the watchdog of") { board.takeOwnReset() != nil }
    // The rig says nothing of the cause: the firmware has marked it.
    try board.reset(.unknown)
    #expect(try Self.firstFrames(of: board).hello.resetCause == .watchdog)
  }

  @Test func `in QEMU a micro:bit says HELLO with its serial number, and each reset's cause`()
    throws
  {
    let flash = try FlashFile(path: nil)
    flash.provision(serial: 0x1F)
    let board = try NRF51(firmware: try BoardFirmware.keychain(.microbit).path(), flash: flash)
    defer { board.machine.kill() }
    try board.setBattery(millivolts: 3_900)
    try board.boot(.powerOn)
    let first = try Self.firstFrames(of: board)
    #expect(first.hello.deviceID == .bench(0x1F))
    #expect(first.hello.resetCause == .powerOn)
    #expect(first.event.number == EventNumber(boot: 1, n: 1))
    for cause in [ResetCause.resetPin, .watchdog, .brownOut, .software] {
      try board.reset(cause)
      let next = try Self.firstFrames(of: board)
      #expect(next.hello.resetCause == cause)
      #expect(next.hello.bootNonce != first.hello.bootNonce)
      #expect(next.hello.oldestUnacked == first.event.number)
    }
  }

  @Test func `in QEMU a micro:bit that resets itself is told from one that is reset`() throws {
    let board = try NRF51(
      firmware: try BoardFirmware.keychain(.microbit).path(), flash: FlashFile(path: nil))
    defer { board.machine.kill() }
    try board.boot(.powerOn)
    _ = try Self.firstFrames(of: board)
    // SYSRESETREQ in AIRCR, as the firmware itself would write it; the mark says resetPin still.
    try board.machine.pin("writel 0xE000ED0C 0x05FA0004", "reset")
    var cause: ResetCause?
    try board.machine.drain("wait for the reset of") {
      cause = board.takeOwnReset()
      return cause != nil
    }
    #expect(cause == .software)
    try board.reset(.software)
    #expect(try Self.firstFrames(of: board).hello.resetCause == .software)
  }

  /// The first HELLO and the first event behind it.
  private static func firstFrames(
    of board: any QEMUBoard
  ) throws -> (hello: Hello, event: EventIdentity) {
    var decoder = FrameDecoder()
    var hello: Hello?
    var event: EventIdentity?
    try board.machine.drain("wait for HELLO of") {
      let bytes = board.machine.read(uart: 0)
      bytes.withUnsafeBytes { bytes in
        var chunk = UnsafeRawBufferPointer(bytes)
        while let outcome = decoder.next(&chunk) {
          guard outcome == .frame else { continue }
          decoder.withBody { body in
            let payload = UnsafeRawBufferPointer(rebasing: body[4...])
            switch MessageType(rawValue: body[1]) {
            case .hello: hello = hello ?? Hello(payload)
            case .event where hello != nil: event = event ?? EventIdentity(payload)
            default: break
            }
          }
        }
      }
      return hello != nil && event != nil
    }
    return (try #require(hello), try #require(event))
  }
}
