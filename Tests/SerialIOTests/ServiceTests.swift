import Glibc
import TestSupport
import Testing

@testable import SerialIO

@Suite struct ServiceTests {
  @Test func `readiness is one line on the descriptor that was asked for`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reader = OwnedDescriptor(owning: ends[0], path: "a pipe")
    let writer = OwnedDescriptor(owning: ends[1], path: "a pipe")
    try SystemdNotifier.notify(readyFD: writer.number)
    #expect(try TerminalProbe.read(6, from: reader) == Array("ready\n".utf8))
  }

  @Test func `the state goes to a socket by path and by abstract name`() throws {
    let directory = try ScratchDirectory()
    for path in ["\(directory.path)/notify", "@fob-test-\(getpid())"] {
      let address = try UnixAddress(path.hasPrefix("@") ? "\0" + path.dropFirst() : path)
      let manager = try UnixSocket.make(SOCK_DGRAM, path: path)
      try address.withPointer { (pointer, length) throws(IOFailure) in
        _ = try Syscall.run("bind", path) { bind(manager.number, pointer, length) }
      }
      try SystemdNotifier.send("READY=1", to: path)
      var bytes = [UInt8](repeating: 0, count: 32)
      let count = try bytes.withUnsafeMutableBytes { try manager.read(into: $0) }
      #expect(bytes.prefix(count ?? 0) == Array("READY=1".utf8)[...])
    }
  }

  @Test func `a state directory in use names the process that has it`() throws {
    let directory = try ScratchDirectory()
    let path = directory.path
    do {
      let first = try StateLock(directory: path)
      let refusal = #expect(throws: IOFailure.self) { _ = try StateLock(directory: path) }
      #expect(
        refusal?.description == "cannot lock \(path): it is in use by process \(getpid())")
      _ = consume first
    }
    _ = try StateLock(directory: path)
  }
}
