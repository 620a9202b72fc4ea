import AlertCore
import FobBase
import Testing
import WireProtocol

/// Rule "bench traffic cannot page a person", and what follows where bench and live devices meet.
struct BenchIdentityTests {
  private let benchKeychain = DeviceID.bench(1)

  @Test func `messages of a bench device say so`() {
    var bench = CoreBench()
    bench.press(.press(1, device: benchKeychain))
    #expect(bench.deliveries(.raise).count == 2)
    #expect(bench.deliveries.allSatisfy { $0.notification.isBench })
  }

  @Test func `a bench press in a live incident is an entry and alarms nobody`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.perform(.acknowledge("contact-1"))
    bench.press(.press(1, device: benchKeychain))
    #expect(bench.incident?.presses.count == 2)
    #expect(bench.incident?.isAcknowledged == true)
    #expect(bench.deliveries(.update).isEmpty)
  }

  @Test func `a live press is not lost in a bench incident: it opens its own`() {
    for policy in [Policy(), .withCountdown] {
      var bench = CoreBench(.sample(), policy)
      bench.press(.press(1, device: benchKeychain))
      bench.press(.press(1))
      #expect(bench.incident?.id == EventRecord.press(1).incident)
      #expect(bench.incident?.isBench == false)
      let gone = bench.store.incidents[EventRecord.press(1, device: benchKeychain).incident]
      #expect(gone?.endReason == .gaveWay, "nobody has cancelled it")
      bench.run(for: .minutes(2))
      #expect(bench.deliveries(.raise).filter { !$0.notification.isBench }.count == 2)
    }
  }
}
