import Emulator
import FobBase
import SerialIO
import Testing
import WireProtocol

/// Many keychains on one thread, each with a host in memory.
@Suite struct DirectFleetTests {
  private static func fleet(of count: Int) throws -> KeychainFleet {
    let fleet = try KeychainFleet(
      (1...count).map { number in
        EmulatorConfiguration(
          serial: UInt32(number), line: DeviceSpec(.memory(name: "\(number)")),
          gps: .stationary(latitude: 514_778_000, longitude: -15_000))
      }, isDirect: true)
    try fleet.start()
    return fleet
  }

  @Test func `two hundred keychains are linked, and each press is heard once`() throws {
    let fleet = try Self.fleet(of: 200)
    defer { fleet.stop() }
    let hosts = try fleet.keychains.map { try DirectHost($0) }
    for host in hosts { _ = try host.linked() }
    for keychain in fleet.keychains {
      let answer = try keychain.perform(.press())
      #expect(answer == .event(EventNumber(boot: 1, n: 2)))
    }
    for (keychain, host) in zip(fleet.keychains, hosts) {
      let press = try host.press()
      #expect(press.identity.deviceID == keychain.configuration.deviceID)
      _ = try keychain.perform(.wait(.acked(press.identity.number)))
    }
    for host in hosts { #expect(host.presses.count == 1) }
  }

  @Test func `a heartbeat and a fix come each second of real time`() throws {
    let fleet = try Self.fleet(of: 20)
    defer { fleet.stop() }
    let hosts = try fleet.keychains.map { try DirectHost($0) }
    for host in hosts {
      _ = try host.reports.wait("three heartbeats and a fix") { reports in
        let beats = reports.count { if case .heartbeat = $0 { true } else { false } }
        let fixes = reports.count { if case .position = $0 { true } else { false } }
        return beats >= 3 && fixes >= 1 ? true : nil
      }
    }
    #expect(fleet.pace.map { $0.turns > 0 } == true)
  }

  @Test func `a second host is refused until the first has left`() throws {
    let fleet = try Self.fleet(of: 1)
    defer { fleet.stop() }
    let first = try DirectHost(fleet.keychains[0])
    _ = try first.linked()
    let refusal = #expect(throws: IOFailure.self) { try DirectHost(fleet.keychains[0]) }
    #expect(refusal?.reason == "another host has it")
    first.close()
    let second = try DirectHost(fleet.keychains[0])
    _ = try second.linked()
  }

  @Test func `an unplugged line hangs up, and a replugged one is linked anew`() throws {
    let fleet = try Self.fleet(of: 2)
    defer { fleet.stop() }
    let keychain = fleet.keychains[1]
    let host = try DirectHost(keychain)
    _ = try host.linked()
    _ = try keychain.perform(.unplug)
    _ = try host.gone.wait("the hang-up") { $0.first }
    let refusal = #expect(throws: IOFailure.self) { try DirectHost(keychain) }
    #expect(refusal?.reason == "it is unplugged")
    _ = try keychain.perform(.replug)
    _ = try DirectHost(keychain).linked()
  }

  @Test func `a keychain that is stopped leaves the others as they are`() throws {
    let fleet = try Self.fleet(of: 3)
    defer { fleet.stop() }
    let host = try DirectHost(fleet.keychains[0])
    #expect(fleet.keychains[0].stop())
    _ = try host.gone.wait("the hang-up") { $0.first }
    #expect(throws: CommandRefusal.self) { try fleet.keychains[0].perform(.press()) }
    let answer = try fleet.keychains[2].perform(.press())
    #expect(answer == .event(EventNumber(boot: 1, n: 2)))
  }
}
