import AlertCore
import Emulator
import FobBase
import Judge

/// What somebody on the wires does, and when.
extension ScheduleGenerator {
  /// - Parameter times: of all other actions: most attacks are drawn close to one of them.
  func attacks(
    near times: [Instant], _ random: inout SplitMix64
  ) -> [(at: Instant, action: FaultAction)] {
    let end = setting.calmFrom.microseconds
    var drawn: [(at: Instant, action: FaultAction)] = []
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let crowd = times.randomElement(using: &random)?.microseconds ?? 0
      let at =
        Int.random(in: 0..<4, using: &random) == 0
        ? Int64.random(in: 0..<end, using: &random)
        : max(0, crowd + (Bool.random(using: &random) ? 1 : -1) * short(2_000_000, &random))
      let keychain = Int.random(in: 0..<setting.keychains, using: &random)
      let act = attack(keychain, attack(keychain, &random), &random)
      drawn.append((Instant(microseconds: min(at, end - 1)), act))
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) { drawn += story(&random) }
    return drawn
  }

  private func attack(
    _ keychain: Int, _ attack: Attack, _ random: inout SplitMix64
  ) -> FaultAction {
    .attack(keychain: keychain, attack, for: span(20_000_000, &random))
  }

  private func attack(_ keychain: Int, _ random: inout SplitMix64) -> Attack {
    let way = WireWay.allCases.randomElement(using: &random)!
    let other = Int.random(in: 0..<setting.keychains, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return .drop(way, eventsAlone: Bool.random(using: &random))
    case 1, 2:
      return .hold(way, then: Attack.LetGo.allCases.randomElement(using: &random)!)
    case 3: return .reorder(way)
    case 4: return .double(way)
    case 5: return .strip(way)
    case 6: return .reflect(way)
    case 7: return other == keychain ? .double(way) : .relay(to: other)
    case 8, 9: return .replay(way, from: other)
    case 10: return .impersonate
    default: return .forge(Forgery.allCases.randomElement(using: &random)!)
    }
  }

  /// Acts that follow each other: an attack does harm where something has just happened.
  private func story(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let host = keychain % setting.hosts
    let hold = FaultAction.press(keychain: keychain, hold: .milliseconds(800))
    let reset = FaultAction.reset(keychain: keychain)
    let long = Interval.seconds(.random(in: 5...30, using: &random))
    func attack(_ attack: Attack) -> FaultAction {
      .attack(keychain: keychain, attack, for: long)
    }
    func forge(_ forgeries: Forgery...) -> [FaultAction] {
      forgeries.map { .attack(keychain: keychain, .forge($0), for: .milliseconds(1)) }
    }
    let disarm = FaultAction.person(host: host, .disarm)
    var longest: Int64 = 1_000_000
    let acts: [FaultAction]
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      acts = [attack(.drop(.toDevice, eventsAlone: true)), hold] + forge(.ack, .ack, .help)
    case 1: acts = [attack(.strip(.toHost)), hold]
    case 2: acts = [attack(.impersonate), hold, hold]
    case 3: acts = [hold] + forge(.hostHello, .challenge, .calm, .ack)
    case 4: acts = forge(.press, .release, .click) + [hold]
    case 5:
      acts = [hold, attack(.hold(.toDevice, then: .oldestAlone)), disarm]
      longest = 4_000_000
    case 6:
      acts = [attack(.drop(.toDevice, eventsAlone: false)), hold] + forge(.unpair, .calm, .ack)
    case 7: acts = [attack(.drop(.toHost, eventsAlone: true)), hold] + forge(.release, .fault)
    default:
      acts = [hold, disarm, attack(.rerun), reset, hold]
      longest = 12_000_000
    }
    var at = Int64.random(in: 0..<setting.calmFrom.microseconds, using: &random)
    return acts.map { action in
      defer { at += Int64.random(in: 1_000...longest, using: &random) }
      return (Instant(microseconds: min(setting.calmFrom.microseconds - 1, at)), action)
    }
  }
}
