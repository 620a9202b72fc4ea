import Glibc
import SerialIO
import Testing

@Suite struct SerialLineTests {
  @Test func `a second opening is refused and says why, on a real pty`() throws {
    let device = try PseudoTerminal()
    let path = device.slavePath
    do {
      let first = try SerialLine(path: path).intoDescriptor()
      let refusal = #expect(throws: IOFailure.self) { _ = try SerialLine(path: path) }
      #expect(refusal?.description == "cannot open \(path): another process holds it")
      #expect(refusal?.errno == EBUSY)
      _ = consume first
    }
    _ = try SerialLine(path: path)
  }

  @Test func `the lock of another descriptor refuses the opening, on a real pty`() throws {
    let device = try PseudoTerminal()
    let other = try TerminalProbe.open(device.slavePath)
    #expect(try other.lockExclusively())
    let path = device.slavePath
    let refusal = #expect(throws: IOFailure.self) { _ = try SerialLine(path: path) }
    #expect(refusal?.errno == EBUSY)
  }

  @Test func `what is no terminal is refused by name`() {
    let refusal = #expect(throws: IOFailure.self) { _ = try SerialLine(path: "/dev/null") }
    #expect(refusal?.description == "cannot open /dev/null: it is not a terminal")
  }

  @Test func `a device that is not there is refused with the system's words`() {
    let refusal = #expect(throws: IOFailure.self) { _ = try SerialLine(path: "/dev/no-such-tty") }
    #expect(refusal?.description == "cannot open /dev/no-such-tty: No such file or directory")
  }
}
