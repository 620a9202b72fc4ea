import CLinux
import FobBase
import Glibc
import Testing

@testable import SerialIO

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

  @Test(arguments: [9_600, 115_200, 250_000, 1_234_567])
  func `any rate is set and read back, on a real pty`(baud: UInt32) throws {
    let device = try PseudoTerminal()
    let line = try SerialLine(path: device.slavePath, settings: SerialSettings(baud: baud))
      .intoDescriptor()
    var made: UInt32 = 0
    try #require(clinux_get_speed(line.number, &made) == 0)
    #expect(made == baud)
  }

  @Test(arguments: SerialSettings.Flow.allCases)
  func `flow control is as asked, and no closing hangs up, on a real pty`(
    flow: SerialSettings.Flow
  ) throws {
    let device = try PseudoTerminal()
    let line = try SerialLine(path: device.slavePath, settings: SerialSettings(flow: flow))
      .intoDescriptor()
    var mode = termios()
    try #require(tcgetattr(line.number, &mode) == 0)
    let software = tcflag_t(IXON | IXOFF)
    let hardware: tcflag_t = 0o20_000_000_000
    #expect(mode.c_iflag & software == 0)
    #expect(mode.c_cflag & hardware == (flow == .rtscts ? hardware : 0))
    #expect(mode.c_cflag & tcflag_t(HUPCL) == 0)
  }

  @Test(arguments: [
    (SerialSettings(dtr: .on), "cannot raise DTR of", "leave dtr out"),
    (SerialSettings(dtr: .pulse), "cannot lower DTR of", "leave dtr out"),
    (SerialSettings(rts: .off), "cannot lower RTS of", "leave rts out"),
  ])
  func `a line without modem lines refuses to move one, and says so, on a real pty`(
    settings: SerialSettings, start: String, end: String
  ) throws {
    let device = try PseudoTerminal()
    let path = device.slavePath
    let refusal = #expect(throws: IOFailure.self) {
      _ = try SerialLine(path: path, settings: settings)
    }
    #expect(refusal?.description == "\(start) \(path): it has no modem lines: \(end)")
    _ = try SerialLine(path: path)
  }

  @Test(arguments: [
    (SerialSettings(), []), (SerialSettings(dtr: .on), ["raise DTR"]),
    (SerialSettings(dtr: .off, rts: .on), ["raise RTS", "lower DTR"]),
    (SerialSettings(dtr: .pulse), ["lower DTR", "hold 100 ms", "raise DTR"]),
    (
      SerialSettings(dtr: .pulse, rts: .off),
      ["lower RTS", "lower DTR", "hold 100 ms", "raise DTR"]
    ),
  ])
  func `only the modem lines that are asked for are moved, in order`(
    settings: SerialSettings, calls: [String]
  ) throws {
    var lines = NotedModemLines()
    try settings.setLines(&lines)
    #expect(lines.calls == calls)
  }
}

/// Notes what would be done to a port.
private struct NotedModemLines: ModemLines {
  var calls: [String] = []

  mutating func raise(_ line: ModemLine) { calls.append("raise \(line.rawValue)") }
  mutating func lower(_ line: ModemLine) { calls.append("lower \(line.rawValue)") }
  mutating func hold(_ time: Interval) { calls.append("hold \(time.microseconds / 1_000) ms") }
}
