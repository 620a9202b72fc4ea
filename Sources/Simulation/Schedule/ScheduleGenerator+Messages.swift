import AlertCore
import Emulator
import FobBase
import Judge

extension Setting {
  /// Draws an owner who has filled slots, or is about to.
  mutating func drawMessages(_ random: inout SplitMix64) {
    contacts = max(1, contacts)
    isLoggedIn = Int.random(in: 0..<8, using: &random) != 0
    if Int.random(in: 0..<8, using: &random) != 0 { policy.profile = .guarded(.none) }
    calmFrom = max(
      calmFrom, .init(microseconds: .random(in: 40_000_000...90_000_000, using: &random)))
    end = calmFrom + .seconds(62)
  }
}

/// What people and faults do about the five messages.
extension ScheduleGenerator {
  func messages(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    let end = setting.calmFrom.microseconds
    var drawn: [(at: Instant, action: FaultAction)] = []
    for host in 0..<setting.hosts {
      let isEmpty = Int.random(in: 0..<3, using: &random) == 0
      for slot in 1...5 where !isEmpty && Bool.random(using: &random) {
        drawn.append((.init(microseconds: short(2_000_000, &random)), fill(slot, host, &random)))
      }
    }
    for key in 0..<Int.random(in: 6...20, using: &random) {
      let host = Int.random(in: 0..<setting.hosts, using: &random)
      var at = Int64.random(in: 0..<end, using: &random)
      for action in actions(host, key: "\(key)", &random) {
        drawn.append((Instant(microseconds: min(end - 1, at)), action))
        at += Int64.random(in: 1_000...2_500_000, using: &random)
      }
    }
    return drawn
  }

  private func fill(_ slot: Int, _ host: Int, _ random: inout SplitMix64) -> FaultAction {
    .person(
      host: host,
      .fillSlot(
        slot, contact: Int.random(in: 0..<setting.contacts, using: &random),
        hasText: Int.random(in: 0..<6, using: &random) != 0))
  }

  private func actions(
    _ host: Int, key: String, _ random: inout SplitMix64
  ) -> [FaultAction] {
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let slot = Int.random(in: 1...5, using: &random)
    let clicks = FaultAction.clicks(keychain: keychain, slot + 1)
    let contact = Int.random(in: 0..<setting.contacts, using: &random)
    func person(_ asking: UserRequest) -> FaultAction { .person(host: host, asking) }
    let id = IncidentID(messageKey: key).wire
    let send = person(.sendMessage(slot: slot, key: key, message: id))
    switch Int.random(in: 0..<17, using: &random) {
    case 0, 1: return [clicks]
    case 2: return [clicks, clicks]
    case 3: return [send, send]
    case 4: return [clicks, person(.emptySlot(slot))]
    case 5: return [clicks, kill(host, &random)]
    case 6: return [kill(host, &random), send, clicks]
    case 7: return [person(.removeContact(contact)), clicks]
    case 8:
      return [
        .channel(
          host: host, contact: contact, way: 0,
          ChannelFault.allCases.randomElement(using: &random)!, for: span(60_000_000, &random)),
        clicks, send,
      ]
    case 9: return [.press(keychain: keychain, hold: .milliseconds(800)), clicks, send]
    case 10: return [clicks, .press(keychain: keychain, hold: .milliseconds(800))]
    case 11: return [person(.disarm), person(.resume), clicks]
    case 12: return [.unplug(keychain: keychain, for: span(30_000_000, &random)), clicks]
    case 13:
      let troubles: [DiskTrouble] = [.slow, .full, .hanging, .lying, .failingLate]
      return [
        .disk(host: host, troubles.randomElement(using: &random)!, for: span(20_000_000, &random)),
        clicks, send,
      ]
    case 14:
      return [
        .channel(host: host, contact: contact, way: 0, .refused, for: .seconds(20)), send,
        .disk(host: host, .slow, for: .seconds(8)),
        .press(keychain: keychain, hold: .milliseconds(800)),
      ]
    case 15: return [fill(slot, host, &random), clicks]
    default:
      return [
        send, fill(slot, host, &random),
        .reboot(host: host, for: span(20_000_000, &random), wallClockBy: .zero),
      ]
    }
  }
}
