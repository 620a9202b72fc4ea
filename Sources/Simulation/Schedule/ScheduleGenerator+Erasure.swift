import AlertCore
import Emulator
import FobBase
import Judge

/// The owner erases the account, mostly late, when there is much to erase.
extension ScheduleGenerator {
  func erasure(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    let end = setting.calmFrom.microseconds
    var drawn: [(at: Instant, action: FaultAction)] = []
    for host in 0..<setting.hosts {
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let isLate = Int.random(in: 0..<4, using: &random) != 0
        var at = Int64.random(in: (isLate ? end / 2 : 0)..<end, using: &random)
        for action in erasure(of: host, &random) {
          drawn.append((Instant(microseconds: min(end - 1, at)), action))
          at += short(1_000_000, &random)
        }
      }
    }
    return drawn
  }

  private func erasure(of host: Int, _ random: inout SplitMix64) -> [FaultAction] {
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let contact = Int.random(in: 0..<max(1, setting.contacts), using: &random)
    func person(_ asking: UserRequest) -> FaultAction { .person(host: host, asking) }
    let erase = person(.erase)
    let over = [person(.disarm), person(.resume)]
    let hold = FaultAction.press(keychain: keychain, hold: .milliseconds(800))
    let kill = self.kill(host, &random)
    let reboot = FaultAction.reboot(
      host: host, for: span(20_000_000, &random), wallClockBy: .zero)
    let disk = self.disk(host, &random)
    let trouble = [ChannelFault.refused, .silent, .slow, .answerLost]
      .randomElement(using: &random)!
    let channel = FaultAction.channel(
      host: host, contact: contact, way: 0, trouble, for: span(60_000_000, &random))
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return over + [erase]
    case 1: return over + [kill, erase]
    case 2: return over + [erase, kill]
    case 3: return over + [erase, reboot]
    case 4: return over + [disk, erase, kill]
    case 5: return over + [disk, erase, reboot]
    case 6: return [hold, channel, person(.disarm), erase]
    case 7: return [person(.disarm), erase, kill, hold]
    case 8: return [hold, erase] + over + [erase, hold]
    default: return over + [person(.logIn), erase, person(.addContact), person(.protect), erase]
    }
  }
}
