import Emulator
import FobBase
import Testing
import WireProtocol

@Suite struct PowerTests {
  @Test func `a keychain without battery and receiver shows neither, and gets none`() throws {
    let rig = try Rig(hasBattery: false, hasGPS: false)
    let state = try rig.state()
    #expect(state.battery == nil && state.millivolts == nil && state.gps == "none")
    for command: EmulatorCommand in [
      .battery(percent: 3), .sag(millivolts: 1_000, for: .seconds(1)), .gps(.none),
    ] {
      #expect(throws: CommandRefusal.self) { try rig.keychain.perform(command) }
    }
    #expect(try rig.state().boot == 1)
  }

  @Test func `a button held through a power cut is a fault, not a second press`() throws {
    let rig = try Rig(light: true)
    let pressed = try rig.hold()
    #expect(try rig.keychain.perform(.powerCut(.milliseconds(30))) == .done)
    let booted = try rig.events.first("the boot") { $0.name == .booted && $0.boot == 2 }
    #expect(booted.cause == "powerOn")
    _ = try rig.events.first("the fault") { $0.kind == "fault" }
    #expect(rig.kinds().filter { $0 == "pressed" }.count == 1)
    let cut = try rig.events.first("the cut") { $0.name == .powerCut }
    #expect((booted.at - cut.at) >= 30_000)
    let dark = rig.events.all.filter { $0.name == .light && $0.at >= cut.at && $0.at < booted.at }
    #expect(dark.allSatisfy { $0.led == false })
    #expect(try rig.keychain.perform(.release) == .done)
    let again = try rig.press()
    #expect(again.boot == 2 && again > pressed)
  }

  @Test func `a button held through a reset is a press at boot on a real pty`() throws {
    let rig = try Rig()
    let host = try TestHost(rig.keychain.linkPath, acks: false)
    try rig.wait(for: .linked)
    let first = try rig.hold()
    #expect(try rig.keychain.perform(.reset) == .done)
    let atBoot = try host.event("a press at boot") {
      $0.identity.kind == .pressed && $0.flags.contains(.atBoot)
    }
    #expect(atBoot.identity.number.boot == 2)
    #expect(
      try host.event("the replay") { $0.flags.contains(.replayed) && $0.identity.number == first }
        .identity.kind == .pressed)
    let booted = try rig.events.first("the boot") { $0.name == .booted && $0.boot == 2 }
    #expect(booted.cause == "resetPin")
  }

  @Test func `without power it can neither be reset nor cut off again`() throws {
    let rig = try Rig()
    #expect(try rig.keychain.perform(.powerCut(.seconds(60))) == .done)
    #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.reset) }
    #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.powerCut(.seconds(1))) }
    #expect(try rig.state().boot == nil)
  }

  @Test func `a host that writes to a dead keychain is heard again when it lives on a real pty`()
    throws
  {
    let rig = try Rig()
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    try rig.wait(for: .linked)
    #expect(try rig.keychain.perform(.powerCut(.milliseconds(50))) == .done)
    #expect(!(try rig.state().linked))
    try rig.wait(for: .linked)
    let number = try rig.press()
    try rig.wait(for: .acked(number))
    #expect(number.boot == 2)
    #expect(try host.event(number).identity.kind == .pressed)
  }

  @Test func `a battery that runs low is an event`() throws {
    let rig = try Rig()
    #expect(try rig.keychain.perform(.battery(percent: 15)) == .done)
    _ = try rig.events.first("the low battery") { $0.kind == "batteryLow" }
    #expect(try rig.state().battery == 15)
    #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.battery(percent: 101)) }
  }
}
