import AlertCore
import FobBase
import Testing
import WireProtocol

/// Many keychains of one account in one emergency: people are told at once, then with a count.
struct ManyKeychainsTests {
  private static let fleet = (0..<300).map { DeviceID(rawValue: 0x1_0000 + UInt64($0)) }

  @Test func `300 keychains that are pressed within seconds are two messages to each contact`() {
    var bench = CoreBench(.sample(contacts: 2))
    for (index, device) in Self.fleet.enumerated() {
      let record = EventRecord.press(1, device: device)
      let now = bench.now.instant
      bench.hand(.event(LinkID(rawValue: index), record, happenedAt: now...now))
      bench.run(for: .milliseconds(20))
    }
    bench.run(for: .seconds(30))
    for contact in ["contact-1", "contact-2"] {
      let told = bench.deliveries(to: contact).map(\.notification)
      #expect(told.map(\.kind) == [.raise, .update])
      #expect(told.last?.context.fleetPresses == 300, "the count of all presses")
    }
    #expect(bench.store.identities.count == 300, "each press is durable")
  }

  @Test func `a further press of a fleet is told 10 s after the last message, at once if later`() {
    var bench = CoreBench(.sample(contacts: 1))
    let start = bench.now
    bench.press(.press(1, device: Self.fleet[0]))
    bench.run(for: .seconds(4))
    bench.press(.press(1, device: Self.fleet[1]))
    bench.run(for: .seconds(26))
    bench.press(.press(1, device: Self.fleet[2]))
    #expect(bench.seconds(of: bench.deliveries(.update), since: start) == [10, 30])
  }

  @Test func `one keychain pressed again is told at once`() {
    var bench = CoreBench(.sample(contacts: 1))
    for n in 1...3 { bench.press(.press(UInt32(n))) }
    #expect(bench.deliveries(.update).count == 2)
    #expect(bench.deliveries.allSatisfy { $0.notification.context.fleetPresses == nil })
  }

  @Test func `a press undoes an acknowledgement at once, though it is told a little later`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1, device: Self.fleet[0]))
    bench.perform(.acknowledge("contact-1"))
    bench.press(.press(1, device: Self.fleet[1]))
    #expect(bench.incident?.isAcknowledged == false)
    bench.run(for: .seconds(10))
    #expect(bench.deliveries(.update).count == 1)
  }

  @Test func `a press that is still to be told outlives a restart`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1, device: Self.fleet[0]))
    bench.press(.press(1, device: Self.fleet[1]))
    bench.commitNotes()
    bench.restart(boot: 2)
    bench.run(for: .seconds(10))
    #expect(bench.deliveries(.update).count == 1)
  }

  @Test
  func `presses of a stranger's keychain, and clicks that silence, are no presses of a fleet`() {
    var bench = CoreBench(.complete())
    bench.press(.press(1))
    bench.press(.press(1, device: otherKeychain))
    bench.press(.press(2))
    #expect(bench.deliveries(.update, to: "contact-1").count == 1, "at once")
    #expect(bench.deliveries.allSatisfy { $0.notification.context.fleetPresses == nil })
  }

  @Test func `an alarm that ends first tells its end alone`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1, device: Self.fleet[0]))
    bench.press(.press(1, device: Self.fleet[1]))
    bench.perform(.disarm)
    bench.run(for: .minutes(1))
    #expect(bench.deliveries.map(\.notification.kind) == [.raise, .closing])
  }
}
