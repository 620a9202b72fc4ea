import Emulator
import FobBase
import Glibc
import SerialIO
import Testing
import WireProtocol

@Suite struct DeviceTransportTests {
  @Test func `unplugged and plugged in again it has the same name on a real pty`() throws {
    let rig = try Rig()
    let first = try TestHost(rig.keychain.linkPath, acks: true)
    try rig.wait(for: .linked)
    #expect(try rig.keychain.perform(.unplug) == .done)
    #expect(try first.gone.first("the hang-up") { _ in true } == .hungUp)
    #expect(access(rig.keychain.linkPath, F_OK) != 0)
    #expect(try rig.state().pty == nil)
    let number = try rig.press()
    #expect(try rig.keychain.perform(.replug) == .done)
    let second = try TestHost(rig.keychain.linkPath, acks: true)
    #expect(try second.event(number).flags == .none, "the board lived on")
    try rig.wait(for: .acked(number))
  }

  @Test func `what no host listens to is dropped on a real pty`() throws {
    let rig = try Rig()
    _ = try rig.press()
    let host = try TestHost(rig.keychain.linkPath, acks: false)
    // The HELLO of the boot, had it been kept, would have made the host ask anew.
    #expect(try host.linked().session == host.session)
  }

  @Test func `a host that leaves and one that comes are told of on a real pty`() throws {
    let rig = try Rig()
    let host = try TestHost(rig.keychain.linkPath, acks: false)
    try rig.wait(for: .linked)
    #expect(try rig.state().host)
    host.close()
    _ = try rig.events.first("its leaving") { $0.name == .hostClosed }
    #expect(try !rig.state().linked)
    let next = try TestHost(rig.keychain.linkPath, acks: false)
    try rig.wait(for: .linked)
    #expect(try next.linked().bootCounter == 1)
  }

  @Test func `a plug that is in is not plugged in, nor one that is out pulled`() throws {
    let rig = try Rig()
    #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.replug) }
    #expect(try rig.keychain.perform(.unplug) == .done)
    #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.unplug) }
  }
}
