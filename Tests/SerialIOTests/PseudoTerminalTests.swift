import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct PseudoTerminalTests {
  @Test func `it is known whether a host has the line open, on a real pty`() throws {
    let device = try PseudoTerminal()
    TerminalProbe.expect(device, isOpen: false)
    for _ in 0..<2 {
      do {
        let host = try TerminalProbe.open(device.slavePath)
        TerminalProbe.expect(device, isOpen: true)
        _ = consume host
      }
      TerminalProbe.expect(device, isOpen: false)
    }
  }

  @Test func `an opening ends the wait for it, on a real pty`() throws {
    let device = try PseudoTerminal()
    let path = device.slavePath
    let hold = try EventSignal()
    let release = hold.descriptor
    let opener = try BlockingThread(name: "opener") {
      let host = try? TerminalProbe.open(path)
      _ = try? Syscall.poll(release, for: POLLIN, until: Watchdog.deadline())
      _ = consume host
    }
    #expect(try device.awaitOpening(until: Watchdog.deadline()))
    TerminalProbe.expect(device, isOpen: true)
    hold.signal()
    #expect(opener.join(within: .seconds(10)))
    TerminalProbe.expect(device, isOpen: false)
  }

  @Test func `a host that opened, wrote and left ends the wait too, on a real pty`() throws {
    let device = try PseudoTerminal()
    do {
      let host = try TerminalProbe.open(device.slavePath)
      try TerminalProbe.writeAll([1, 2, 3], to: host)
    }
    #expect(try device.awaitOpening(until: Watchdog.deadline()))
    #expect(try TerminalProbe.read(3, from: device.master) == [1, 2, 3])
  }

  @Test func `the wait ends at its deadline and when cancelled, on a real pty`() throws {
    let device = try PseudoTerminal()
    #expect(try !device.awaitOpening(until: Instant(microseconds: 0)))
    let cancel = try EventSignal()
    cancel.signal()
    #expect(try !device.awaitOpening(cancel: cancel.descriptor, until: Watchdog.deadline()))
  }

  @Test func `a device that vanishes comes back under its link, on a real pty`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/keychain"
    let gone = Gathered<GoneReason>()
    let handlers = ReaderHandlers(onBytes: { _, _ in }, onGone: { gone.put($0) })
    let first = try PseudoTerminal()
    var link = try StableLink(at: path, to: first.slavePath)
    let loop = try ReaderLoop(
      SerialLine(path: path).intoDescriptor(), name: "first", handlers: handlers)
    try loop.start()
    _ = consume first
    #expect(try gone.take() == [.hungUp])
    #expect(loop.stop())

    let second = try PseudoTerminal()
    try link.move(to: second.slavePath)
    let host = try SerialLine(path: path).intoDescriptor()
    try TerminalProbe.writeAll([7], to: second.master)
    #expect(try TerminalProbe.read(1, from: host) == [7])
    _ = consume link
    #expect(access(path, F_OK) != 0)
  }
}
