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

  /// The first HELLO and the first event behind it.
  private static func firstFrames(
    of board: LM3S6965
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
