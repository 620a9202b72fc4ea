import Control
import Emulator
import FobBase
import Glibc
import SerialIO
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Bridge

/// `{"do":"tap"}` at the bridge: the bytes of its lines, and never a press the later for it.
@Suite final class TapTests {
  private let folder: ScratchDirectory
  private let keychain: EmulatedKeychain
  private let bridgeRig: BridgeRig
  private let control: BridgeControl

  private struct Line: Decodable {
    let at: Int64
    let device: String
    let to: String
    let bytes: String
  }

  init() throws {
    folder = try ScratchDirectory()
    keychain = try EmulatedKeychain.started(in: folder)
    bridgeRig = try BridgeRig(sinks: [try RecordingSink()], in: folder)
    control = try BridgeControl(
      path: folder.path + "/control", bridge: bridgeRig.bridge)
  }

  deinit {
    control.stop()
    keychain.stop()
  }

  @Test func `a tap hears the press and its ack, with the line's name and the time`() throws {
    let tap = try tapped()
    let before = BootClock.now().microseconds
    let number = try keychain.press()
    let deadline = BootClock.now() + .seconds(10)
    var types: Set<String> = []
    var ways: [String: FrameDecoder] = [:]
    while let text = try tap.nextLine(before: deadline) {
      let line: Line = try ControlAnswer.decode(text)
      #expect(line.device == "pty:" + bridgeRig.path("keychain"))
      #expect(line.at > before - 5_000_000 && line.at <= BootClock.now().microseconds)
      var decoder = ways[line.to] ?? FrameDecoder()
      let bytes = Self.bytes(line.bytes)
      bytes.withUnsafeBytes { raw in
        var chunk = raw
        while let outcome = decoder.next(&chunk) {
          guard outcome == .frame else { continue }
          let body = decoder.withBody { Array($0) }
          // The boot event is acked, too, and maybe only now.
          let isOther = body[1] == MessageType.eventAck.rawValue && body[4] != UInt8(number.n)
          if !isOther { types.insert("\(line.to) \(body[1])") }
        }
      }
      ways[line.to] = decoder
      if types.contains("device \(MessageType.eventAck.rawValue)") { break }
    }
    #expect(types.contains("host \(MessageType.event.rawValue)"))
    #expect(types.contains("device \(MessageType.eventAck.rawValue)"))
  }

  @Test func `with a tap client that never reads, presses still get acked`() throws {
    let deaf = try tapped()
    for _ in 0..<20 {
      let number = try keychain.press()
      try keychain.wait(for: .acked(number))
      // Far more than the tap's queue, a client's and the kernel's buffer hold.
      for _ in 0..<400 { flood() }
    }
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
    #expect(try bridgeRig.store.presses().count == 21)
    var isTold = false
    let deadline = BootClock.now() + .seconds(10)
    while !isTold, let line = try deaf.nextLine(before: deadline) {
      isTold = line.hasPrefix(#"{"lost":"#)
    }
    #expect(isTold, "what a client did not read in time is told to be lost")
  }

  @Test func `when the last client has left, nothing is copied any more`() throws {
    #expect(!bridgeRig.bridge.tap.isTapped)
    do {
      let tap = try tapped()
      #expect(bridgeRig.bridge.tap.isTapped)
      _ = consume tap
    }
    let deadline = BootClock.now() + .seconds(10)
    while bridgeRig.bridge.tap.isTapped, BootClock.now() < deadline { usleep(1_000) }
    #expect(!bridgeRig.bridge.tap.isTapped)
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
  }

  private func tapped() throws -> ControlClient {
    let client = try ControlClient(path: folder.path + "/control")
    #expect(try client.request(#"{"do":"tap"}"#) == #"{"ok":true}"#)
    return client
  }

  private func flood() {
    [UInt8](repeating: 7, count: 512).withUnsafeBytes {
      bridgeRig.bridge.tap.pass($0, device: "a busy line", to: .host, at: BootClock.now())
    }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
    }
  }
}
