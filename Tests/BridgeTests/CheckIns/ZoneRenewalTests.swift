import AlertCore
import FobBase
import SerialIO
import Synchronization
import Testing

@testable import Bridge

/// The core knows the account's zone at any time.
struct ZoneRenewalTests {
  @Test func `the core has the clock of the account's zone from the start on`() throws {
    let rig = try Self.rig(in: "America/New_York")
    #expect(Self.offsets(rig) == [-18_000, -14_400])
  }

  @Test func `another zone is handed in when the account gets it`() throws {
    let rig = try Self.rig(in: "America/New_York")
    var profile = AccountChange.Profile()
    profile.zone = "Asia/Kolkata"
    let answer = try Waiting.answer {
      rig.bridge.change(.edit(profile), pin: BridgeRig.pin.description, answer: $0)
    }
    #expect(answer.refusal == nil)
    #expect(Self.offsets(rig) == [19_800, 19_800])
  }

  @Test func `a zone that the machine does not know is UTC, as it is in messages`() throws {
    #expect(Self.offsets(try Self.rig(in: "Nowhere/Land")) == [0, 0])
  }

  @Test func `the zone is looked at again when its time has come`() throws {
    let rig = try Self.rig(in: "America/New_York")
    let runner = rig.bridge.runner
    runner.waiting.add(1, ordering: .sequentiallyConsistent)
    runner.machines.withLock { $0.zoneDue = BootClock.now() + .milliseconds(50) }
    runner.handle(.zoneTable(.utc))
    let deadline = BootClock.now() + .seconds(10)
    while Self.offsets(rig) != [-18_000, -14_400], BootClock.now() < deadline {
      _ = try Syscall.poll(runner.process.steps.descriptor, for: 1, until: deadline)
      runner.process.steps.clear()
    }
    #expect(Self.offsets(rig) == [-18_000, -14_400])
    let due = runner.machines.withLock { $0.zoneDue }
    #expect(due.map { $0 > BootClock.now() + .minutes(50) } == true)
  }

  private static func rig(in zone: String) throws -> BridgeRig {
    var account = BridgeRig.account
    account.zone = zone
    return try BridgeRig([], account: account, sinks: [])
  }

  /// In winter and in summer: 2027-01-01 and 2027-07-01.
  private static func offsets(_ rig: BridgeRig) -> [Int32]? {
    rig.bridge.runner.read { core, _ in
      core.checkIns.zone.map { [$0.offset(at: 1_798_761_600), $0.offset(at: 1_814_400_000)] }
    }
  }
}
