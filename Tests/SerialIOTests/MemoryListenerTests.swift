import FobBase
import Glibc
import SerialIO
import Testing

@Suite struct MemoryListenerTests {
  @Test func `a host that connects by name is let in, and bytes pass both ways`() throws {
    let listener = try MemoryListener(name: "both ways")
    let host = try MemoryListener.connect(name: "both ways")
    #expect(try Syscall.poll(listener.descriptor, for: POLLIN, until: Watchdog.deadline()) != 0)
    guard let device = listener.accept() else {
      Issue.record("nobody at the listener")
      return
    }
    try TerminalProbe.writeAll([1, 2], to: host)
    #expect(try TerminalProbe.read(2, from: device) == [1, 2])
    try TerminalProbe.writeAll([3], to: device)
    #expect(try TerminalProbe.read(1, from: host) == [3])
    let now = Instant(microseconds: 0)
    #expect(try Syscall.poll(listener.descriptor, for: POLLIN, until: now) == 0)
  }

  @Test func `a name is one device's, for as long as it listens`() throws {
    do {
      let listener = try MemoryListener(name: "one")
      let refusal = #expect(throws: IOFailure.self) { _ = try MemoryListener(name: "one") }
      #expect(refusal?.errno == EADDRINUSE)
      _ = consume listener
    }
    let refusal = #expect(throws: IOFailure.self) { _ = try MemoryListener.connect(name: "one") }
    #expect(
      refusal?.description == "cannot open memory:one: no keychain of this process has that name")
    _ = try MemoryListener(name: "one")
  }

  @Test func `one host waits at the listener, a second is refused, and both hear the end`() throws {
    do {
      let listener = try MemoryListener(name: "door")
      let first = try MemoryListener.connect(name: "door")
      let second = #expect(throws: IOFailure.self) { _ = try MemoryListener.connect(name: "door") }
      #expect(second?.errno == EBUSY)
      _ = consume listener
      let events = try Syscall.poll(first.number, for: POLLIN, until: Watchdog.deadline())
      #expect(events & POLLHUP != 0, "the device has gone with its endpoint")
    }
  }
}
