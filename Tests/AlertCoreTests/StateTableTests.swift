import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// R40: the state as the source's flags tell it, in the order that its words ask for: alert, ended,
/// sent, failed, sending, none. The core holds a state of its own; the flags can be read off it.
private struct EmergencyFlags: Hashable {
  var alert = false
  var sending = false
  var failed = false
  var sent = false
  var ended = false

  var state: EmergencyState {
    if alert { return .alertCountdown }
    if ended { return .emergencyEnded }
    if sent { return .emergencySent }
    if failed { return .emergencySendingFailed }
    return sending ? .emergencySending : .noEmergency
  }

  /// As the source's example for Android tests them.
  var kotlin: EmergencyState {
    if alert { return .alertCountdown }
    if failed { return .emergencySendingFailed }
    if sending { return .emergencySending }
    if sent, !ended { return .emergencySent }
    return ended && sent ? .emergencyEnded : .noEmergency
  }

  /// As its example for iOS tests them; nil: nothing is assigned.
  var swift: EmergencyState? {
    if alert { return .alertCountdown }
    if sending { return .emergencySending }
    if failed { return .emergencySendingFailed }
    if sent { return .emergencySent }
    return ended ? .emergencyEnded : nil
  }

  static let all: [EmergencyFlags] = (0..<32).map { bits in
    EmergencyFlags(
      alert: bits & 16 != 0, sending: bits & 8 != 0, failed: bits & 4 != 0, sent: bits & 2 != 0,
      ended: bits & 1 != 0)
  }
}

struct StateTableTests {
  /// Without an alert, by sending, failed, sent, ended as the digits of a number.
  private static let table: [EmergencyState] = [
    .noEmergency, .emergencyEnded, .emergencySent, .emergencyEnded,
    .emergencySendingFailed, .emergencyEnded, .emergencySent, .emergencyEnded,
    .emergencySending, .emergencyEnded, .emergencySent, .emergencyEnded,
    .emergencySendingFailed, .emergencyEnded, .emergencySent, .emergencyEnded,
  ]

  @Test func `R40: the 32 rows of the table`() {
    let expected = Self.table + Array(repeating: .alertCountdown, count: 16)
    for (flags, state) in zip(EmergencyFlags.all, expected) {
      #expect(flags.state == state, "\(flags)")
    }
    let differing = EmergencyFlags.all.prefix(16).filter { $0.kotlin != $0.swift }
    #expect(differing.count == 7, "as the source's two examples do")
    #expect(EmergencyFlags.all.suffix(16).allSatisfy { $0.kotlin == $0.swift })
  }

  /// What an observer who keeps flags would have latched.
  private static func flags(_ bench: CoreBench) -> EmergencyFlags {
    guard let incident = bench.incident else { return EmergencyFlags() }
    let hasFailed = bench.happened(.stateChanged).contains {
      $0.incident == incident.id && $0.transition?.to == .emergencySendingFailed
    }
    let isEnded = incident.endedAt != nil
    return EmergencyFlags(
      alert: incident.countdownEnds != nil && incident.trackingSince == nil && !isEnded,
      sending: incident.trackingSince != nil && incident.sentAt == nil && !isEnded,
      failed: hasFailed, sent: incident.sentAt != nil, ended: isEnded)
  }

  private static func step(_ bench: inout CoreBench, _ n: UInt32, _ random: inout SeededGenerator) {
    switch UInt8.random(in: 0..<9, using: &random) {
    case 0: bench.press(.press(n))
    case 1: bench.perform(.trigger(Trigger(source: .fall, device: keychain, key: "\(n)")))
    case 2: bench.perform([.disarm, .resume, .quit].randomElement(using: &random)!)
    case 3: bench.otherSinks = .refuses
    case 4: bench.otherSinks = .acceptsAtOnce
    case 5: bench.restart()
    default:
      let spans: [Interval] = [.seconds(50), .minutes(6), .minutes(20)]
      bench.run(for: random.interval(upTo: spans.randomElement(using: &random)!))
    }
  }

  @Test func `R40, G3, G4, G18: at every moment the core's state is the one of the table`() {
    var reached: Set<EmergencyFlags> = []
    for seed: UInt64 in 0..<120 {
      var random = SeededGenerator(seed: seed)
      var bench = CoreBench(.protecting, seed % 2 == 0 ? .withCountdown : Policy())
      for n: UInt32 in 1...40 {
        Self.step(&bench, n, &random)
        let flags = Self.flags(bench)
        #expect(bench.state == flags.state, "seed \(seed), step \(n): \(flags)")
        reached.insert(flags)
      }
    }
    // An alert never stands beside another flag: while an incident is open none begins (G18).
    let reachable: Set<EmergencyFlags> = [
      .init(), .init(alert: true), .init(sending: true), .init(sending: true, failed: true),
      .init(sent: true), .init(failed: true, sent: true), .init(ended: true),
      .init(sent: true, ended: true), .init(failed: true, ended: true),
      .init(failed: true, sent: true, ended: true),
    ]
    #expect(reached == reachable)
  }
}
