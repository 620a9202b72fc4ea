import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct LifecycleTests {
  @Test func `stopping is quick and leaves neither link nor socket behind`() throws {
    let directory = try ScratchDirectory()
    var quickest = Interval.seconds(10)
    var rig = try Rig(in: directory, storeName: "store", controlName: "control")
    for _ in 0..<3 {
      _ = try rig.press()
      let begun = BootClock.now()
      #expect(rig.keychain.stop())
      quickest = min(quickest, BootClock.now() - begun)
      rig = try Rig(in: directory, storeName: "store", controlName: "control")
    }
    #expect(quickest < .milliseconds(200))
    #expect(rig.keychain.stop())
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store"])
    let refusal = #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.state) }
    #expect(refusal?.description == "the emulator has stopped")
    #expect(rig.keychain.stop(), "stopping twice does no harm")
  }

  @Test func `a press under way is answered when the emulator stops`() throws {
    let rig = try Rig()
    _ = try rig.hold()
    let answers = try Journal<Result<EmulatorAnswer, CommandRefusal>>()
    rig.keychain.perform(.wait(.linked)) { answers.add($0) }
    _ = try rig.state()
    #expect(rig.keychain.stop())
    #expect(throws: CommandRefusal.self) {
      try answers.first("the answer") { _ in true }.get()
    }
  }

  @Test func `an emulator whose socket is taken does not start and leaves no link`() throws {
    let directory = try ScratchDirectory()
    let rig = try Rig(in: directory, controlName: "control")
    let link = "\(directory.path)/second"
    let second = try EmulatedKeychain(
      EmulatorConfiguration(
        serial: 8, linkPath: link, controlPath: "\(directory.path)/control"))
    let failure = #expect(throws: IOFailure.self) { try second.start() }
    #expect(failure?.errno == EADDRINUSE)
    #expect(access(link, F_OK) != 0)
    #expect(try rig.state().plugged)
  }

  @Test func `a goal that is not reached is answered at its deadline`() throws {
    let rig = try Rig()
    let refusal = #expect(throws: CommandRefusal.self) {
      try rig.keychain.perform(
        .wait(.acked(EventNumber(boot: 1, n: 99)), within: .milliseconds(20)))
    }
    #expect(refusal?.description.contains("1.99") == true)
    try rig.wait(for: .ready)
  }

  @Test func `the name of a keychain that was given none is its own`() {
    let path = EmulatorConfiguration(serial: 0xAB).effectiveLine.description
    #expect(path.hasSuffix("/fob-80000000000000ab-\(getpid())"))
  }
}
