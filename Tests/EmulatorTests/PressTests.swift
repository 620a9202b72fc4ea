import Emulator
import FobBase
import Testing
import WireProtocol

@Suite struct PressTests {
  @Test func `a press is answered with its number and arrives as that event on a real pty`() throws
  {
    let rig = try Rig()
    let host = try TestHost(rig.keychain.linkPath, acks: false)
    let number = try rig.press()
    let record = try host.event(number)
    #expect(number.boot == 1)
    #expect(record.identity.kind == .pressed)
    #expect(record.identity.deviceID == .bench(7))
    #expect((15_000...2_000_000).contains(record.commitDelta))
  }

  @Test func `a press that the host acked is forgotten on a real pty`() throws {
    let rig = try Rig()
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    try rig.wait(for: .linked)
    let number = try rig.press()
    try rig.wait(for: .acked(number))
    _ = try rig.events.first("the release") { $0.name == .committed && $0.kind == "released" }
    let released = try #require(rig.events.all.last { $0.name == .committed }?.eventNumber)
    try rig.wait(for: .acked(released))
    _ = try rig.events.first("the boot's ack") { $0.name == .acked && $0.event == "1.1" }
    #expect(try rig.state().unacked == 0)
    #expect(try host.linked().deviceID == .bench(7))
  }

  @Test(arguments: [2, 3, 5, 8])
  func `a bouncing contact makes one event of each press and one of each release`(
    seed: UInt64
  ) throws {
    let rig = try Rig(bounceSeed: seed)
    let numbers = try (0..<3).map { _ in try rig.press(hold: .milliseconds(60)) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == 3)
    _ = try rig.events.wait("three releases") { events in
      events.filter { $0.kind == "released" }.count == 3 ? true : nil
    }
    #expect(rig.kinds().filter { $0 == "pressed" }.count == 3)
  }

  @Test func `a contact shorter than the debounce time is refused after two seconds`() throws {
    let rig = try Rig(bounceSeed: nil)
    let begun = try rig.state()
    let refusal = #expect(throws: CommandRefusal.self) {
      try rig.keychain.perform(.press(hold: .milliseconds(5)))
    }
    #expect(refusal?.description.contains("hold longer") == true)
    #expect(rig.events.all.contains { $0.name == .closed })
    #expect(!rig.kinds().contains("pressed"))
    #expect(!begun.held)
  }

  @Test func `a held button is down until it is released, and is not pressed twice`() throws {
    let rig = try Rig()
    let number = try rig.hold()
    #expect(number.n > 1)
    #expect(try rig.state().held)
    #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.press()) }
    #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.hold) }
    #expect(try rig.keychain.perform(.release) == .done)
    _ = try rig.events.first("the release") { $0.kind == "released" }
    #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.release) }
    #expect(try !rig.state().held)
  }

  @Test func `a press without power is refused, and says why`() throws {
    let rig = try Rig()
    #expect(try rig.keychain.perform(.powerCut(.seconds(60))) == .done)
    let refusal = #expect(throws: CommandRefusal.self) { try rig.keychain.perform(.press()) }
    #expect(refusal?.description.contains("no power") == true)
    #expect(try !rig.state().powered)
  }
}
