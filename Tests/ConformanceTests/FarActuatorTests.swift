import FobBase
import SerialIO
import Synchronization
import TestSupport
import Testing

@testable import Conformance

/// The actuators whose other end is a program or a port.
struct FarActuatorTests {
  @Test func `QEMU's monitor is asked for Ctrl, and for a reset`() throws {
    let directory = try ScratchDirectory()
    let path = "\(directory.path)/qmp"
    let heard = Mutex<[String]>([])
    // Stands in for QEMU: greets, answers everything, and tells an event before each answer.
    let monitor = try QMPStandIn(path: path) { line in heard.withLock { $0.append(line) } }
    let qemu = try QMPActuator(path: path)
    try qemu.perform(.close)
    try qemu.perform(.open)
    try qemu.perform(.reset)
    #expect(throws: RigFailure.self) { try qemu.perform(.powerCut(.seconds(1))) }
    let lines = heard.withLock { $0 }
    #expect(lines.count == 4 && lines[0].contains("qmp_capabilities"))
    #expect(lines[1].contains(#""down":true"#) && lines[2].contains(#""down":false"#))
    #expect(lines[1].contains(#""qcode","data":"ctrl""#))
    #expect(lines[3].contains("system_reset"))
    #expect(qemu.obstacle(to: .brief) == nil && qemu.obstacle(to: .battery) != nil)
    monitor.stop()
  }

  @Test(arguments: [ModemLineActuator.Wire.rts, .dtr])
  func `a port without modem lines is refused, and told so`(
    _ wire: ModemLineActuator.Wire
  ) throws {
    let pty = try PseudoTerminal()
    let refusal = #expect(throws: IOFailure.self) {
      _ = try ModemLineActuator(path: pty.slavePath, wire: wire)
    }
    #expect(refusal?.description.contains("modem lines") == true)
  }
}
