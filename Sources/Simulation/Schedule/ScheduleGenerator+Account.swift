import AlertCore
import Emulator
import FobBase
import Judge

/// Whose keychains they are, who is told, and what programs raise.
extension ScheduleGenerator {
  /// - Parameter times: of all else that happens: most of it is near to one of them.
  func account(
    near times: [Instant], _ random: inout SplitMix64
  ) -> [(at: Instant, action: FaultAction)] {
    let lots = Fault.allCases.filter(\.isOfAccount).lots
    let end = setting.calmFrom.microseconds
    var drawn = (0..<Int.random(in: 2...10, using: &random)).map { _ in
      let crowd = times.randomElement(using: &random)?.microseconds ?? 0
      let at =
        Int.random(in: 0..<4, using: &random) == 0
        ? Int64.random(in: 0..<end, using: &random)
        : max(0, crowd + (Bool.random(using: &random) ? 1 : -1) * short(2_000_000, &random))
      let host = Int.random(in: 0..<setting.hosts, using: &random)
      return (
        at: Instant(microseconds: min(at, end - 1)),
        action: FaultAction.person(
          host: host, userRequest(lots.randomElement(using: &random)!, &random))
      )
    }
    if Int.random(in: 0..<4, using: &random) != 0 { drawn += program(&random) }
    return drawn
  }

  private func userRequest(_ fault: Fault, _ random: inout SplitMix64) -> UserRequest {
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let device = DeviceID(keychain: keychain)
    switch fault {
    case .logIn: return .logIn
    case .logOut: return .logOut
    case .claim: return .claim(device)
    case .disconnect: return .disconnect(device)
    case .contactAdded: return .addContact
    case .contactRemoved:
      return .removeContact(Int.random(in: 0..<max(1, setting.contacts), using: &random))
    case .trigger: return trigger(keychain, Int.random(in: 1...2, using: &random))
    case .endUnowned: return .endUnowned
    default: return .protect
    }
  }

  private func trigger(_ keychain: Int, _ number: Int) -> UserRequest {
    let device = DeviceID(keychain: keychain)
    let key = "\(keychain + 1)-\(number)"
    let trigger = Trigger(source: .fall, device: device, key: key)
    return .trigger(device, key: key, incident: IncidentID(trigger).wire)
  }

  /// A program that has no answer asks the same again, also when it is long over.
  private func program(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    let host = Int.random(in: 0..<setting.hosts, using: &random)
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let trigger = trigger(keychain, 1)
    let end = setting.calmFrom.microseconds
    var at = Int64.random(in: 0..<end, using: &random)
    var actions = [UserRequest.protect, trigger, trigger, .disarm, .resume].map {
      FaultAction.person(host: host, $0)
    }
    if Bool.random(using: &random) {
      actions += [
        .press(keychain: keychain, hold: .milliseconds(700)), .person(host: host, .disarm),
        .person(host: host, .resume),
      ]
    }
    if Bool.random(using: &random) {
      actions.append(.kill(host: host, afterEffects: 0, for: span(1_000_000, &random)))
    }
    actions.append(.person(host: host, trigger))
    return actions.map { action in
      defer { at = min(end - 1, at + short(4_000_000, &random)) }
      return (at: Instant(microseconds: at), action: action)
    }
  }
}
