import AlertCore
import Emulator
import FobBase
import Judge

/// What owners beside each other do at the same time, where hosts are accounts of one process.
extension ScheduleGenerator {
  func neighbors(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    let end = setting.calmFrom.microseconds
    var drawn: [(at: Instant, action: FaultAction)] = []
    for _ in 0..<Int.random(in: 2...6, using: &random) {
      var at = Int64.random(in: 0..<end, using: &random)
      let longest: Int64 = Bool.random(using: &random) ? 3_000 : 2_000_000
      for action in story(&random) {
        drawn.append((Instant(microseconds: min(end - 1, at)), action))
        at += short(longest, &random)
      }
    }
    return drawn
  }

  private func story(_ random: inout SplitMix64) -> [FaultAction] {
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let other = (keychain + 1) % setting.keychains
    let owner = setting.owners[keychain] ?? 0
    let neighbor = (owner + Int.random(in: 1..<setting.hosts, using: &random)) % setting.hosts
    let device = DeviceID(keychain: keychain)
    func person(_ host: Int, _ asking: UserRequest) -> FaultAction {
      .person(host: host, asking)
    }
    func hold(_ keychain: Int) -> FaultAction {
      .press(keychain: keychain, hold: .milliseconds(800))
    }
    let both = [hold(keychain), hold(other)]
    let handOver = [person(owner, .disconnect(device)), person(neighbor, .claim(device))]
    switch Int.random(in: 0..<11, using: &random) {
    case 0: return both + [person(owner, .disarm)]
    case 1: return both + [person(neighbor, .acknowledge(contact: 0)), person(owner, .cancel)]
    case 2: return both + [kill(owner, &random)]
    case 3: return both + [disk(owner, &random), person(owner, .disarm), kill(owner, &random)]
    case 4:
      return [person(owner, .logIn), person(neighbor, .protect), kill(owner, &random)] + both
    case 5:
      return [hold(keychain)] + Array(repeating: person(neighbor, .wrongPIN), count: 5)
        + [person(neighbor, .disarm)]
    case 6: return handOver + [hold(keychain)]
    case 7: return handOver.reversed() + handOver + [hold(keychain)]
    case 8:
      return [person(owner, .disarm), person(owner, .resume)] + handOver
        + [kill(owner, &random), hold(keychain)]
    case 9:
      let late = FaultAction.delay(keychain: keychain, by: .seconds(1), for: .seconds(20))
      return [late, hold(keychain), .unplug(keychain: keychain, for: .seconds(10))]
        + [person(owner, .disarm), person(owner, .resume)] + handOver
    default: return [hold(keychain), person(neighbor, .claim(device)), person(neighbor, .disarm)]
    }
  }
}

extension FaultAction {
  /// Whether it may happen where hosts share a process: there is no other host to be plugged into,
  /// and whose a keychain is that says it is another one only a pairing could tell.
  var isOfSharedWorld: Bool {
    switch self {
    case .move, .sicken(_, .idBorrowed): false
    default: true
    }
  }
}
