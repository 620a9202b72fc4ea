import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// The checks of `CoreBench` at every effect, under everything at once.
struct RandomWorkflowTests {
  @Test(arguments: 0..<(Soak.isOn ? 1_000 : 2))
  func `states, lights, messages and acks keep their rules in any order of inputs`(
    _ series: UInt64
  ) {
    for seed in 1_000 + series * 50..<1_000 + series * 50 + 50 {
      var random = SeededGenerator(seed: seed)
      var account = Account.sample(contacts: 3)
      account.isProtecting = true
      account.mayLocate = seed % 3 != 0
      var bench = CoreBench(account, seed % 2 == 0 ? .withCountdown : Policy())
      bench.hand(.linkUp(line, .from(keychain)))
      for n in 1...50 { Self.step(&bench, UInt32(n), &random) }
      bench.wakeStore()
      bench.run(for: .minutes(seed % 4 == 0 ? 31 : 1))
      expectClosings(bench, "seed \(seed)")
    }
  }

  /// R52, G4: everyone who was told of an incident that is over is told that, after the alarm.
  private func expectClosings(_ bench: CoreBench, _ seed: Comment) {
    for incident in bench.store.incidents.values where !incident.state.isOpen {
      for contact in bench.account.contacts {
        let told = bench.deliveries(to: contact.id).map(\.notification)
          .filter { $0.incident == incident.id }
        let closings = told.firstIndex { $0.kind == .closing }
        let lastAlarm = told.lastIndex { $0.kind != .closing }
        let decided = bench.store.notifications.values.filter {
          $0.incident == incident.id && $0.contact == contact && $0.kind == .closing
        }
        #expect(decided.count == (lastAlarm == nil ? 0 : 1), seed)
        if let closings, let lastAlarm { #expect(lastAlarm < closings, seed) }
      }
    }
  }

  static func step(
    _ bench: inout CoreBench, _ n: UInt32, _ random: inout SeededGenerator
  ) {
    let sinks: [CoreBench.Sink] = [
      .acceptsAtOnce, .accepts(after: random.interval(upTo: .seconds(90))), .refuses, .silent,
    ]
    let userCommands: [UserCommand?] = [
      .disarm, .cancel, .silence, .quit, .resume, .acknowledge("contact-1"),
      .acknowledge("nobody"), nil,
    ]
    switch UInt8.random(in: 0...10, using: &random) {
    case 0, 1: bench.press(.press(n))
    case 2: bench.perform(userCommands.randomElement(using: &random)!)
    case 3: bench.storeBehaviour = random.storeBehaviour()
    case 4: bench.wakeStore()
    case 5: bench.otherSinks = sinks.randomElement(using: &random)!
    case 6: bench.sinks["contact-2"] = sinks.randomElement(using: &random)!
    case 7: bench.hand(.position(line, .good(Int32(n))))
    case 8:
      let source: Trigger.Source = n % 2 == 0 ? .fall : .checkIn
      bench.perform(.trigger(Trigger(source: source, device: keychain, key: "\(n)")))
    default:
      let spans: [Interval] = [
        .milliseconds(200), .milliseconds(200), .seconds(4), .seconds(40), .minutes(6),
      ]
      bench.run(for: random.interval(upTo: spans.randomElement(using: &random)!))
    }
  }
}
