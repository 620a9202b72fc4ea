import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

/// A device that says what it is told to, byte by byte, and never answers by itself.
final class RawDevice {
  /// Before the terminal, so that it goes first: the kernel may give the pty's number to another.
  private let link: StableLink
  private let terminal: PseudoTerminal
  private var decoder = FrameDecoder()
  private var unread: [UInt8] = []

  init(in folder: ScratchDirectory, named name: String = "keychain") throws {
    let terminal = try PseudoTerminal()
    link = try StableLink(at: "\(folder.path)/\(name)", to: terminal.slavePath)
    self.terminal = terminal
  }

  func say(_ bytes: [UInt8]) throws {
    let deadline = BootClock.now() + .seconds(10)
    var rest = bytes[...]
    while !rest.isEmpty {
      let taken = try rest.withUnsafeBytes { try terminal.master.write($0) }
      rest = rest.dropFirst(taken ?? 0)
      guard taken == nil else { continue }
      let events = try Syscall.poll(terminal.master.number, for: POLLOUT, until: deadline)
      try #require(events != 0, "the host has not read for 10 s")
    }
  }

  func say(_ payload: some Payload) throws {
    let frame = WireFrame(FrameBody(payload, sequence: 0), afterSilence: true)
    try say(frame.withBytes { Array($0) })
  }

  /// The next bytes from the host.
  func hear() throws -> [UInt8] {
    let deadline = BootClock.now() + .seconds(10)
    try #require(try terminal.awaitOpening(until: deadline), "no host within 10 s")
    let events = try Syscall.poll(terminal.master.number, for: POLLIN, until: deadline)
    try #require(events & POLLIN != 0, "nothing from the host within 10 s")
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = try buffer.withUnsafeMutableBytes { try terminal.master.read(into: $0) }
    return Array(buffer.prefix(count ?? 0))
  }

  /// Waits for a frame of this kind from the host.
  func hear<P: Payload>(_ type: P.Type) throws -> P {
    while true {
      if unread.isEmpty { unread = try hear() }
      let (payload, left) = unread.withUnsafeBytes { bytes in
        var chunk = bytes
        return (next(type, &chunk), chunk.count)
      }
      unread = Array(unread.suffix(left))
      if let payload { return payload }
    }
  }

  private func next<P: Payload>(_ type: P.Type, _ chunk: inout UnsafeRawBufferPointer) -> P? {
    while let outcome = decoder.next(&chunk) {
      guard outcome == .frame else { continue }
      let payload = decoder.withBody { body -> P? in
        guard body.count >= 4 + P.size, body[1] == P.type.rawValue else { return nil }
        return P(UnsafeRawBufferPointer(rebasing: body[4...]))
      }
      if let payload { return payload }
    }
    return nil
  }
}

extension EventRecord {
  /// A press of a bench device.
  static func press(_ n: UInt32, serial: UInt32 = 9, clock: UInt64 = 1_000_000) -> EventRecord {
    EventRecord(
      EventIdentity(
        deviceID: .bench(serial), number: EventNumber(boot: 1, n: n), kind: .pressed,
        clock: clock, bootNonce: 77))
  }
}

extension Hello {
  /// The answer of a bench device to the host's.
  static func answering(_ hello: Hello, serial: UInt32 = 9) -> Hello {
    var answer = Hello(
      role: .device, session: hello.session,
      software: SoftwareVersion(major: 1, minor: 0, patch: 0))
    answer.deviceID = .bench(serial)
    answer.bootCounter = 1
    answer.bootNonce = 77
    return answer
  }
}
