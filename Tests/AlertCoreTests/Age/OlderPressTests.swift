import AlertCore
import FobBase
import Testing
import WireProtocol

/// A press is older than a disarm by PIN only if all evidence agrees; then it joins what was
/// disarmed, for everybody to see. What cannot be proved is an alarm (protocol, Presses).
struct OlderPressTests {
  /// Away for a while, back with presses, and switched off while they wait behind one that was made
  /// on the way: the reference.
  private static func disarmedWhileTheyWait(_ count: Int = 3) -> KeychainBench {
    var keychain = KeychainBench.linked()
    keychain.unplug()
    keychain.makeOutOfReach(count)
    keychain.run(for: .minutes(1))
    keychain.link()
    keychain.press()
    keychain.run(for: .seconds(2))
    keychain.disarm()
    return keychain
  }

  @Test func `64 stored presses that a reference covers are no alarm, and all are shown`() {
    var keychain = Self.disarmedWhileTheyWait(64)
    let stored = keychain.kept
    keychain.deliver()
    #expect(!keychain.bench.state.isOpen)
    #expect(keychain.told(.raise).count == 1 && keychain.told(.update).isEmpty)
    #expect(keychain.setAside == 64)
    let entries = keychain.bench.incident?.presses.filter { $0.isSetAside == true }
    #expect(entries?.map(\.event) == stored.map(\.identity.number.text))
    #expect(stored.allSatisfy { keychain.bench.isAcked($0) })
    #expect(
      keychain.bench.happened(.pressJoined).allSatisfy {
        $0.detail == "made out of reach, before the alarm was switched off: set aside"
      })
    keychain.run(for: .seconds(30))
    keychain.press()
    #expect(keychain.bench.state == .emergencySent)
  }

  @Test func `also after a resume, and after a restart of the core`() {
    var keychain = Self.disarmedWhileTheyWait()
    keychain.bench.perform(.resume)
    keychain.hear(keychain.takeKept(at: 0))
    #expect(keychain.bench.state == .noEmergency && keychain.setAside == 1)
    keychain.restart()
    keychain.link()
    keychain.deliver()
    #expect(keychain.bench.state == .noEmergency && keychain.setAside == 3)
  }

  @Test func `a reference that only an earlier run of the core had heard proves nothing`() {
    var keychain = KeychainBench.linked()
    keychain.unplug()
    keychain.makeOutOfReach(3)
    keychain.link()
    keychain.press()
    keychain.bench.commitNotes()
    keychain.restart()
    keychain.link()
    keychain.disarm()
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
  }

  @Test func `what an older version had stored of a disarm proves nothing`() throws {
    var keychain = Self.disarmedWhileTheyWait()
    let evidence = try #require(keychain.bench.incident?.seenAtDisarm.first)
    #expect(evidence.clock != nil && evidence.receivedAt != nil && evidence.missedSince != nil)
    keychain.bench.forgetStoredEvidence()
    keychain.restart()
    keychain.link()
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
  }

  @Test func `a line that was in order explains no absence`() {
    var keychain = KeychainBench.linked()
    keychain.make()
    keychain.run(for: .seconds(30))
    keychain.press()
    keychain.run(for: .seconds(30))
    keychain.disarm()
    keychain.run(for: .seconds(1))
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
  }

  @Test func `a gap in what came from the line explains it, for as long as it is made up for`() {
    for pause: Interval in [.seconds(8), .seconds(30)] {
      var keychain = KeychainBench.linked()
      keychain.make()
      keychain.miss()
      keychain.run(for: .seconds(1))
      keychain.press()
      keychain.disarm()
      keychain.run(for: pause)
      keychain.deliver()
      #expect(keychain.setAside == (pause == .seconds(8) ? 1 : 0))
    }
  }

  @Test func `an outage that is over explains nothing of what comes later`() {
    var keychain = Self.disarmedWhileTheyWait()
    keychain.run(for: .seconds(15))
    #expect(keychain.bench.incident?.seenAtDisarm.isEmpty == true)
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
  }

  /// Its stamp covers what is made until then, and so after the disarm.
  @Test func `a reference that is stamped ahead of the heartbeat before it proves nothing`() {
    for ahead: Int64 in [2_000_000, 9_000_000] {
      var keychain = KeychainBench.linked()
      keychain.press()
      keychain.run(for: .seconds(5))
      let real = keychain.next
      keychain.next = EventNumber(boot: 1, n: real.n + 1)
      keychain.stamp = { UInt64($0 + ahead) }
      keychain.hear(keychain.makeLive(.released))
      keychain.stamp = { UInt64($0) }
      keychain.unplug()
      keychain.disarm()
      keychain.bench.run(for: .milliseconds(300))
      keychain.next = real
      keychain.make()
      keychain.link()
      keychain.deliver()
      #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
    }
  }

  /// As after a clock that has gone back.
  @Test func `a press of before a heartbeat that said that nothing is kept is an alarm`() {
    var keychain = KeychainBench.linked()
    keychain.press()
    keychain.run(for: .seconds(10))
    let early = keychain.next
    keychain.next = EventNumber(boot: 1, n: early.n + 1)
    keychain.miss()
    keychain.press()
    keychain.disarm()
    keychain.next = early
    keychain.stamp = { UInt64($0 - 6_000_000) }
    keychain.make()
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
  }

  @Test func `once a number was used twice, nothing of that boot is proved`() {
    var keychain = Self.disarmedWhileTheyWait()
    let used = EventNumber(boot: 1, n: 1)
    let next = keychain.next
    keychain.next = used
    keychain.hear(keychain.makeLive(.released))
    keychain.next = next
    #expect(keychain.doubts.contains { $0.contains("two events are numbered 1.1") })
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
  }

  @Test func `the fit alone proves nothing, and speaks against it`() {
    var keychain = KeychainBench.linked()
    keychain.press()
    keychain.run(for: .seconds(10))
    keychain.disarm()
    let at = keychain.bench.now.instant - 5_000_000
    keychain.bench.press(.press(9, nonce: 7), happenedAt: at...at)
    #expect(keychain.bench.state == .emergencySent)
    var covered = Self.disarmedWhileTheyWait()
    let now = covered.bench.now.instant
    covered.bench.press(covered.takeKept(at: 0), happenedAt: now...now)
    #expect(covered.bench.state == .emergencySent && covered.setAside == 0)
  }

  @Test func `a number or a clock of another boot, nonce or device proves nothing`() {
    for change in 0..<3 {
      var keychain = Self.disarmedWhileTheyWait()
      let old = keychain.takeKept(at: 0).identity
      let record = EventRecord(
        EventIdentity(
          deviceID: change == 0 ? otherKeychain : old.deviceID, number: old.number,
          kind: .pressed, clock: change == 1 ? .max / 4 : old.clock,
          bootNonce: change == 2 ? 99 : old.bootNonce))
      keychain.bench.press(record, happenedAt: nil)
      #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
    }
  }

  @Test func `after an end that was no disarm it opens an incident`() {
    var keychain = KeychainBench.linked()
    keychain.unplug()
    keychain.makeOutOfReach(1)
    keychain.link()
    keychain.press()
    keychain.bench.run(for: .minutes(31))
    #expect(keychain.bench.incident?.endReason == .trackingOver)
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
  }

  @Test func `while an incident is open it is an entry of that and is told`() {
    var keychain = Self.disarmedWhileTheyWait()
    let live = keychain.press()
    keychain.deliver()
    #expect(keychain.bench.incident?.id == live.incident && keychain.setAside == 0)
    #expect(keychain.told(.update).count == 1)
  }
}
