import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// Rule "no press lost": whatever the order, the store and the restarts.
struct PressLossTests {
  @Test(arguments: 0..<(Soak.isOn ? 6 : 2))
  func `every press is one entry of one incident`(_ series: UInt64) {
    for seed in series * 50..<series * 50 + 50 {
      var world = World(seed: seed)
      for _ in 0..<60 { world.step() }
      world.heal()
      world.expectNoPressLost()
    }
  }

  private struct World {
    var random: SeededGenerator
    var bench: CoreBench
    var sent: [EventRecord] = []
    var unacked: [EventRecord] = []
    let seed: UInt64

    init(seed: UInt64) {
      self.seed = seed
      random = SeededGenerator(seed: seed)
      bench = CoreBench(.sample(), seed % 3 == 0 ? .withCountdown : Policy())
      bench.storeBehaviour = random.storeBehaviour()
    }

    mutating func step() {
      if random.next() % 8 == 0 {
        bench.effectsUntilKill = Int.random(in: 0...6, using: &random)
      }
      switch UInt8.random(in: 0...12, using: &random) {
      case 0, 1, 2: makeEvent(.pressed)
      case 3: makeEvent(.released)
      case 4, 5:
        if let record = unacked.randomElement(using: &random) { bench.press(record) }
      case 6:
        if let record = sent.randomElement(using: &random) { bench.press(record) }
      case 7: bench.storeBehaviour = random.storeBehaviour()
      case 8: bench.wakeStore()
      case 9:
        let isRebooted = Bool.random(using: &random)
        bench.restart(
          boot: isRebooted ? bench.now.boot + 1 : nil, down: random.interval(upTo: .minutes(1)),
          keepsHanging: Bool.random(using: &random))
      case 10:
        let userCommands: [UserCommand?] = [
          .disarm, .silence, .quit, .resume, .acknowledge("contact-1"), nil,
        ]
        bench.perform(userCommands.randomElement(using: &random)!)
      default: bench.run(for: random.interval(upTo: .seconds(3)))
      }
      unacked.removeAll { bench.isAcked($0) }
    }

    /// Not every new event reaches the core at once.
    private mutating func makeEvent(_ kind: EventKind) {
      let record = EventRecord.press(
        UInt32(sent.count + 1), device: Bool.random(using: &random) ? keychain : otherKeychain,
        kind: kind)
      sent.append(record)
      unacked.append(record)
      if random.next() % 4 != 0 { bench.press(record) }
    }

    /// The device resends for ever, in any order.
    mutating func heal() {
      bench.effectsUntilKill = nil
      bench.wakeStore()
      for record in unacked.shuffled(using: &random) { bench.press(record) }
      bench.run(for: .seconds(3))
    }

    func expectNoPressLost() {
      #expect(bench.store.doubled.isEmpty, "seed \(seed)")
      #expect(bench.store.events.count == sent.count, "seed \(seed)")
      for record in sent {
        let entries = bench.store.events.filter { $0.record.identity == record.identity }
        #expect(entries.count == 1, "seed \(seed)")
        #expect(bench.isAcked(record), "seed \(seed)")
        let listing = bench.store.incidents(listing: record.identity).map(\.id)
        let isPress = record.identity.kind == .pressed
        #expect(listing == (isPress ? [entries.first?.incident].compactMap { $0 } : []))
        #expect(listing.count == (isPress ? 1 : 0), "seed \(seed)")
      }
      let opened = bench.store.log.filter { $0.name == .incidentOpened }
      #expect(Set(opened.compactMap(\.incident)) == Set(bench.store.incidents.keys))
      #expect(opened.count == bench.store.incidents.count, "seed \(seed)")
    }
  }
}
