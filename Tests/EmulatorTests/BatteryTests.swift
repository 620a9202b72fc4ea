import Firmware
import FobBase
import SerialIO
import Testing
import WireProtocol

@testable import Emulator

@Suite struct BatteryTests {
  private let start = VirtualKeychain.start
  private let everything = SimulatedBattery.Load(gps: true, led: true, sounder: true)

  private func worn(percent: UInt8) -> SimulatedBattery {
    var battery = SimulatedBattery(percent: percent, at: start)
    battery.emptyOhms = 6
    return battery
  }

  @Test func `it loses its charge at the rate that was set, and no more than it has`() {
    var battery = SimulatedBattery(percent: 80, at: start)
    #expect(battery.percent(at: start + .seconds(3_600)) == 80)
    battery.drain(percentPerHour: 60, at: start)
    var last = battery.rest(at: start)
    for minute in Int64(0)...80 {
      let now = start + .seconds(60 * minute)
      #expect(abs(Int64(battery.percent(at: now)) - (80 - minute)) <= 1)
      #expect(battery.rest(at: now) <= last)
      last = battery.rest(at: now)
    }
    #expect(battery.rest(at: start + .seconds(86_400)) == 3_300)
    battery.drain(percentPerHour: 0, at: start + .seconds(1_800))
    #expect(abs(Int(battery.percent(at: start + .seconds(86_400))) - 50) <= 1)
  }

  @Test func `a charge or a voltage that was set is what is read without load`() {
    var battery = SimulatedBattery(percent: 100, at: start)
    for percent in UInt8(0)...100 {
      battery.set(percent: percent, at: start)
      #expect(battery.percent(at: start) == percent)
    }
    for millivolts in stride(from: UInt16(0), through: 5_000, by: 7) {
      battery.set(millivolts: millivolts, at: start)
      #expect(battery.rest(at: start) == millivolts)
    }
  }

  @Test func `no load is felt at any charge, so the gauge reads what was set`() {
    for percent in UInt8(0)...100 {
      let battery = SimulatedBattery(percent: percent, at: start)
      let terminals = battery.terminals(under: everything, at: start)
      #expect(BatteryGauge.percent(terminals) == percent)
    }
  }

  @Test func `a worn cell feels no load above 20 per cent, below it the more the emptier`() {
    var last = 0
    for percent in (UInt8(0)...100).reversed() {
      let battery = worn(percent: percent)
      let under = battery.terminals(under: everything, at: start)
      let sag = Int(battery.rest(at: start)) - Int(under)
      #expect(percent >= 20 ? sag == 0 : sag > last)
      let gps = battery.terminals(under: SimulatedBattery.Load(gps: true), at: start)
      #expect(percent >= 20 || gps > under)
      last = sag
    }
    #expect(last == 450)
  }

  @Test func `an empty worn battery carries the receiver but not the sounder`() {
    let battery = worn(percent: 0)
    let quiet = battery.terminals(under: SimulatedBattery.Load(gps: true), at: start)
    #expect(quiet >= SimulatedBattery.startMillivolts)
    let loud = battery.terminals(under: everything, at: start)
    #expect(loud < SimulatedBattery.resetMillivolts)
  }

  @Test func `a sag ends by itself`() {
    var battery = SimulatedBattery(percent: 80, at: start)
    battery.sag(by: 600, for: .milliseconds(50), at: start)
    let off = SimulatedBattery.Load()
    #expect(battery.terminals(under: off, at: start) == 3_400)
    #expect(battery.sagEnds(after: start) == start + .milliseconds(50))
    #expect(battery.terminals(under: off, at: start + .milliseconds(50)) == 4_000)
    #expect(battery.sagEnds(after: start + .milliseconds(50)) == nil)
  }

  @Test func `the firmware tells each level once as the battery runs down`() throws {
    let world = try VirtualKeychain()
    world.board.battery.drain(percentPerHour: 60, at: world.now)
    world.run(ms: 80 * 60_000)
    #expect(world.distinct(.batteryLow).count == 1)
    #expect(world.distinct(.batteryCritical).count == 1)
    #expect(world.distinct(.batteryRecovered).isEmpty)
  }
}

/// The loop about the board: what resets it, and when it boots again.
extension BatteryTests {
  @Test func `a deep sag is a brown-out reset, and the press before it is told again`() throws {
    let rig = try Rig(light: true)
    let pressed = try rig.hold()
    let sagged = BootClock.now().microseconds
    #expect(
      try rig.keychain.perform(.sag(millivolts: 1_500, for: .milliseconds(80))) == .done)
    let brownOut = try rig.events.first("the brown-out") { $0.name == .brownOut }
    let booted = try rig.events.first("the boot") { $0.name == .booted && $0.boot == 2 }
    #expect(booted.cause == "brownOut")
    #expect(booted.at - sagged >= 80_000)
    #expect(booted.at - brownOut.at >= 50_000)
    let again = try rig.events.first("the press at boot") {
      $0.kind == "pressed" && $0.eventNumber != pressed
    }
    #expect(again.eventNumber?.boot == 2)
    let dark = rig.events.all.filter {
      $0.name == .light && $0.at > brownOut.at && $0.at < booted.at
    }
    #expect(dark.allSatisfy { $0.led == false })
  }

  @Test func `a shallow sag is only read`() throws {
    let rig = try Rig()
    #expect(try rig.keychain.perform(.sag(millivolts: 700, for: .seconds(60))) == .done)
    let state = try rig.state()
    #expect(state.powered && state.boot == 1)
    #expect(state.millivolts ?? .max <= 3_500 && state.battery == 100)
    _ = try rig.events.first("the low battery") { $0.kind == "batteryLow" }
  }

  @Test func `a dead battery leaves the board off until it is changed`() throws {
    let rig = try Rig()
    #expect(try rig.keychain.perform(.battery(millivolts: 2_500)) == .done)
    _ = try rig.events.first("the brown-out") { $0.name == .brownOut }
    // The reset's time is over by then.
    #expect(throws: CommandRefusal.self) {
      try rig.keychain.perform(.wait(.ready, within: .milliseconds(200)))
    }
    #expect(try !rig.state().powered)
    #expect(try rig.keychain.perform(.battery(percent: 90)) == .done)
    try rig.wait(for: .ready)
    let booted = try rig.events.first("the boot") { $0.name == .booted && $0.boot == 2 }
    #expect(booted.cause == "brownOut")
  }
}
