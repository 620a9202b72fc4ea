import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// Profile `guarded`: what cannot be, or cannot be kept, is an alarm.
struct DoubtTests {
  /// A press that waits for its release; slots 1 to 5 are configured, so that clicks may be meant.
  private func pressed() -> (guarded: GuardedBench, press: EventRecord) {
    var guarded = GuardedBench(PanicSlots([1, 2, 3, 4, 5])!)
    let press = guarded.play([100_000])[0]
    return (guarded, press)
  }

  private func reasons(_ guarded: GuardedBench) -> [String?] {
    guarded.bench.happened(.pressDecoded).map(\.detail)
  }

  @Test func `a release stamped before its press raises at once`() {
    var (guarded, press) = pressed()
    guarded.bench.run(for: .milliseconds(200))
    #expect(guarded.bench.state == .noEmergency)
    guarded.deliver(guarded.edge(.released, at: 99_999))
    #expect(guarded.bench.state == .emergencySent)
    #expect(guarded.meaning(press) == .alarm)
    #expect(reasons(guarded).map { $0?.contains("its clock runs backwards") } == [true])
  }

  @Test func `two presses with no release between them raise at once`() {
    var (guarded, press) = pressed()
    let second = guarded.edge(.pressed, at: 200_000)
    guarded.deliver(second)
    #expect(guarded.bench.state == .emergencySent)
    #expect(guarded.meaning(press) == .alarm && guarded.meaning(second) == .alarm)
    #expect(reasons(guarded).map { $0?.contains("pressed twice without a release") } == [true])
  }

  @Test func `a press under a number that another edge has raises at once, and the other waits on`()
  {
    var (guarded, press) = pressed()
    let other = EventRecord.press(
      press.identity.number.n, clock: press.identity.clock + 50_000,
      nonce: press.identity.bootNonce)
    guarded.deliver(other)
    #expect(guarded.bench.state == .emergencySent)
    #expect(guarded.meaning(other) == .alarm)
    #expect(guarded.meaning(press) == .open)
    #expect(reasons(guarded).map { $0?.contains("its number was used before") } == [true])
  }

  @Test func `a release under a number that another edge has is noted and raises nothing`() {
    var (guarded, press) = pressed()
    let other = EventRecord.press(
      press.identity.number.n, kind: .released, clock: press.identity.clock + 50_000,
      nonce: press.identity.bootNonce)
    guarded.deliver(other)
    #expect(guarded.meaning(other) == .noted)
    #expect(guarded.bench.state == .noEmergency)
    guarded.deliver(guarded.edge(.released, at: 200_000))
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.meaning(press) == .acknowledge)
  }

  /// Keychains that press at the same moment, one press each and no release yet.
  private func crowd(_ devices: some Sequence<UInt64>, in guarded: inout GuardedBench) {
    for device in devices {
      let press = EventRecord.press(1, device: DeviceID(rawValue: device), clock: 5_000_000)
      guarded.deliver(press)
    }
  }

  @Test(arguments: UInt64(1)...4)
  func `as many keychains as have room are read, and one with nothing open gives way unseen`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var guarded = GuardedBench()
    let devices = (1...UInt64(Limits.pressHistories)).map { 0x1000 + $0 }
    crowd(devices.shuffled(using: &random), in: &guarded)
    #expect(guarded.bench.state == .noEmergency)
    guarded.bench.run(for: .seconds(2))
    #expect(guarded.bench.incident?.presses.count == Limits.pressHistories)
  }

  @Test(arguments: UInt64(1)...4)
  func `one keychain more gives up the one silent longest: what is open of it is an alarm`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var guarded = GuardedBench()
    let devices = (1...UInt64(Limits.pressHistories)).map { 0x1000 + $0 }
    crowd(devices.shuffled(using: &random), in: &guarded)
    guarded.bench.run(for: .milliseconds(1))
    crowd([0x0900], in: &guarded)
    #expect(guarded.bench.state == .emergencySent)
    // Of those silent equally long, the least id: the same one in every run.
    #expect(guarded.bench.incident?.presses.map(\.device) == ["0000000000001001"])
    #expect(reasons(guarded).map { $0?.contains("too many keychains at once") } == [true])
  }
}
