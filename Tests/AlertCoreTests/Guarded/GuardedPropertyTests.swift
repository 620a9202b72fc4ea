import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// Whatever the order, the delays, the losses and the restarts.
struct GuardedPropertyTests {
  private struct Edge {
    let kind: EventKind
    let at: Int64
  }

  /// Clicks and holds in chains, the chains 3 s apart.
  private static func edges(
    _ random: inout SeededGenerator, chains: Int, most: Int
  ) -> [[Edge]] {
    var at: Int64 = 0
    return (0..<chains).map { _ in
      at += 3_000_000
      return (0..<Int.random(in: 1...most, using: &random)).flatMap { _ in
        let isHold = Int.random(in: 0..<6, using: &random) == 0
        let held: Int64 =
          isHold
          ? .random(in: 500_000...2_500_000, using: &random)
          : .random(in: 30_000...499_999, using: &random)
        let press = Edge(kind: .pressed, at: at)
        let release = Edge(kind: .released, at: at + held)
        at += held + .random(in: 10_000...400_000, using: &random)
        return [press, release]
      }
    }
  }

  private static func slots(_ random: inout SeededGenerator) -> PanicSlots {
    PanicSlots(rawValue: UInt8.random(in: 0...31, using: &random))
  }

  @Test(arguments: 0..<(Soak.isOn ? 8 : 1))
  func `re-ordered and doubled edges mean what they mean in order`(_ series: UInt64) {
    for seed in series * 60..<series * 60 + 60 {
      var random = SeededGenerator(seed: seed)
      let slots = Self.slots(&random)
      let edges = Self.edges(&random, chains: 2, most: 7).flatMap(\.self)
      // As they happen; or all at once, when a line comes up again.
      let backlog: Int64? = seed % 3 == 0 ? edges.last!.at + 1_000_000 : nil
      func meanings(isShuffled: Bool) -> [PressDetector.Meaning?] {
        var guarded = GuardedBench(slots)
        let records = edges.map { guarded.edge($0.kind, at: $0.at) }
        var arrivals: [(at: Int64, record: EventRecord)] = []
        for record in records {
          let happened = guarded.happened(record).lowerBound - guarded.start.instant
          for _ in 0...(isShuffled ? 1 : 0) {
            let jitter: Int64 = isShuffled ? .random(in: 0...150_000, using: &random) : 0
            arrivals.append(((backlog ?? happened) + 20_000 + jitter, record))
          }
        }
        let sorted = arrivals.enumerated().sorted {
          ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }
        for arrival in sorted.map(\.element) {
          guarded.bench.run(until: guarded.start + .microseconds(arrival.at))
          guarded.deliver(arrival.record)
        }
        guarded.bench.run(for: .seconds(3))
        return records.map { guarded.meaning($0) }
      }
      #expect(
        meanings(isShuffled: true) == meanings(isShuffled: false),
        "seed \(seed), slots \(slots.numbers)")
    }
  }

  @Test(arguments: 0..<(Soak.isOn ? 8 : 3))
  func `no hold and no seven clicks end without an alarm, and none is taken back`(
    _ series: UInt64
  ) {
    for seed in series * 60..<series * 60 + 60 { Storm(seed: seed).run() }
  }

  /// Edges late or lost, a line that goes, a core that is killed between any two effects.
  private struct Storm {
    let seed: UInt64

    func run() {
      var random = SeededGenerator(seed: seed)
      var guarded = GuardedBench(GuardedPropertyTests.slots(&random))
      let chains = GuardedPropertyTests.edges(&random, chains: 3, most: 9)
      let records = chains.map { chain in chain.map { guarded.edge($0.kind, at: $0.at) } }
      var arrivals: [(at: Int64, record: EventRecord)] = []
      for (edge, record) in zip(chains.joined(), records.joined()) {
        let latest: Int64 = [0, 0, 200_000, 2_000_000, 15_000_000].randomElement(using: &random)!
        // A press is kept by the keychain until it is acked; a release may be given up.
        guard edge.kind == .pressed || random.next() % 10 > 0 else { continue }
        arrivals.append((edge.at + 20_000 + .random(in: 0...latest, using: &random), record))
      }
      var alarms: Set<EventIdentity> = []
      var unacked: [EventRecord] = []
      for arrival in arrivals.sorted(by: { $0.at < $1.at }) {
        guarded.bench.run(
          until: guarded.start + .microseconds(max(guarded.now, arrival.at)))
        disturb(&guarded, &random)
        unacked.append(arrival.record)
        guarded.deliver(arrival.record, isFitted: random.next() % 4 > 0)
        for record in unacked where random.next() % 2 == 0 { guarded.deliver(record) }
        unacked.removeAll { guarded.bench.isAcked($0) }
        alarms = checked(alarms, guarded)
      }
      guarded.bench.effectsUntilKill = nil
      guarded.bench.wakeStore()
      for record in unacked { guarded.deliver(record) }
      guarded.bench.run(for: .milliseconds(2_100))
      guarded.bench.wakeStore()
      alarms = checked(alarms, guarded)
      let delivered = Set(guarded.bench.store.identities)
      for chain in records {
        expectAlarm(chain, delivered, alarms)
        for record in chain where delivered.contains(record.identity) {
          #expect(guarded.meaning(record) != .open, "seed \(seed)")
        }
      }
    }

    private func disturb(_ guarded: inout GuardedBench, _ random: inout SeededGenerator) {
      switch random.next() % 12 {
      case 0: guarded.bench.hand(.linkDown(line, reason: "test"))
      case 1, 2: guarded.bench.hand(.linkUp(line, .from(keychain)))
      case 3: guarded.bench.effectsUntilKill = Int.random(in: 0...6, using: &random)
      case 4: guarded.bench.restart(keepsHanging: Bool.random(using: &random))
      case 5: guarded.bench.restart(boot: guarded.bench.now.boot + 1)
      case 6: guarded.bench.storeBehaviour = .commits(after: .milliseconds(300))
      case 7: guarded.bench.wakeStore()
      default: break
      }
    }

    private func checked(
      _ alarms: Set<EventIdentity>, _ guarded: GuardedBench
    ) -> Set<EventIdentity> {
      for alarm in alarms {
        #expect(guarded.bench.store.meaning(of: alarm) == .alarm, "seed \(seed): taken back")
      }
      return Set(
        guarded.bench.store.identities.filter { guarded.bench.store.meaning(of: $0) == .alarm })
    }

    private func expectAlarm(
      _ chain: [EventRecord], _ delivered: Set<EventIdentity>, _ alarms: Set<EventIdentity>
    ) {
      let presses = chain.filter { $0.identity.kind == .pressed }
      for index in stride(from: 0, to: chain.count, by: 2) {
        let held = chain[index + 1].identity.clock - chain[index].identity.clock
        guard held >= 500_000, delivered.contains(chain[index].identity) else { continue }
        #expect(alarms.contains(chain[index].identity), "seed \(seed): a hold of \(held) µs")
      }
      guard presses.count >= 7 else { return }
      #expect(presses.contains { alarms.contains($0.identity) }, "seed \(seed): frantic")
    }
  }
}
