import AlertCore
import Emulator
import FobBase
import Judge

extension Setting {
  /// Draws an owner who breathes and counts what is noticed.
  mutating func drawExercises(_ random: inout SplitMix64) {
    hasExercises = true
    isLoggedIn = isLoggedIn || Int.random(in: 0..<8, using: &random) != 0
    if Int.random(in: 0..<3, using: &random) != 0, policy.profile == .literal {
      policy.profile = .guarded(.none)
    }
    lastLonger(&random)
  }

  /// Draws an owner who looks back on alarms.
  mutating func drawReviews(_ random: inout SplitMix64) {
    hasReviews = true
    isLoggedIn = isLoggedIn || Int.random(in: 0..<8, using: &random) != 0
    lastLonger(&random)
  }

  private mutating func lastLonger(_ random: inout SplitMix64) {
    calmFrom = max(
      calmFrom, .init(microseconds: .random(in: 40_000_000...90_000_000, using: &random)))
    end = calmFrom + .seconds(62)
  }
}

/// What people and faults do about exercises and the owner's lines.
extension ScheduleGenerator {
  func exercises(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    var drawn: [(at: Instant, action: FaultAction)] = []
    for host in 0..<setting.hosts where Int.random(in: 0..<3, using: &random) != 0 {
      drawn.append(
        (.init(microseconds: short(2_000_000, &random)), .person(host: host, .clickBreathes(true))))
    }
    for _ in 0..<Int.random(in: 4...14, using: &random) {
      let host = Int.random(in: 0..<setting.hosts, using: &random)
      drawn += crowd(exercise(host, &random), &random)
    }
    return drawn
  }

  func reviews(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    var drawn: [(at: Instant, action: FaultAction)] = []
    for round in 0..<Int.random(in: 4...14, using: &random) {
      let host = Int.random(in: 0..<setting.hosts, using: &random)
      drawn += crowd(review(host, round, &random), &random)
    }
    return drawn
  }

  /// Acts that follow each other at some time before the calm.
  private func crowd(
    _ actions: [FaultAction], _ random: inout SplitMix64
  ) -> [(at: Instant, action: FaultAction)] {
    let end = setting.calmFrom.microseconds
    var at = Int64.random(in: 0..<end, using: &random)
    return actions.map { action in
      defer { at += Int64.random(in: 1_000...4_000_000, using: &random) }
      return (Instant(microseconds: min(end - 1, at)), action)
    }
  }

  private func exercise(_ host: Int, _ random: inout SplitMix64) -> [FaultAction] {
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    func person(_ asking: UserRequest) -> FaultAction { .person(host: host, asking) }
    let device = Bool.random(using: &random) ? DeviceID(keychain: keychain) : nil
    let breathe = person(.startExercise(.breathing, on: device))
    let ground = person(.startExercise(.grounding, on: device))
    let stop = person(.stopExercise)
    let click = FaultAction.press(
      keychain: keychain, hold: .milliseconds(.random(in: 60...300, using: &random)))
    let hold = FaultAction.press(keychain: keychain, hold: .milliseconds(800))
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return [breathe, stop]
    case 1: return [click, click]
    case 2: return [breathe, click, click]
    case 3: return [breathe, hold, stop]
    case 4: return [click, hold, click]
    case 5: return [breathe, kill(host, &random), breathe]
    case 6: return [ground, click, click, person(.countItem)]
    case 7: return [ground, hold]
    case 8: return [breathe, .unplug(keychain: keychain, for: span(30_000_000, &random))]
    case 9:
      let count = Int.random(in: 1...9, using: &random)
      let seconds = count * Int.random(in: 10...900, using: &random)
      return [person(.saveTotals(BreathingRecord(seconds: seconds, count: count))), breathe]
    case 10: return [breathe, disk(host, &random), stop, breathe]
    case 11: return [person(.disarm), person(.resume), breathe]
    case 12: return [person(.addLine("I have done this before.")), hold, breathe, ground]
    default:
      return [breathe, .reboot(host: host, for: span(20_000_000, &random), wallClockBy: .zero)]
    }
  }

  private func review(_ host: Int, _ round: Int, _ random: inout SplitMix64) -> [FaultAction] {
    let place = Int.random(in: 0..<3, using: &random)
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    func act(_ action: ReviewAction) -> FaultAction { .review(host: host, action) }
    func save(_ step: Int, isStale: Bool = false) -> FaultAction {
      let word = "quietly-\(UInt32.random(in: .min ... .max, using: &random))-\(round)"
      return act(.save(place, step: step, word: word, isStale: isStale))
    }
    let begin = act(.begin(isOfAlarm: Int.random(in: 0..<3, using: &random) != 0))
    let step = Int.random(in: 1...4, using: &random)
    let hold = FaultAction.press(keychain: keychain, hold: .milliseconds(800))
    let over = [hold, FaultAction.person(host: host, .disarm), .person(host: host, .resume)]
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return over + [act(.begin(isOfAlarm: true)), save(step)]
    case 2: return [begin, save(1), save(2), save(3), save(4), act(.complete(place))]
    case 3: return [begin, begin, save(step)]
    case 4: return [save(step), save(step, isStale: true)]
    case 5: return [save(step), kill(host, &random), save(step)]
    case 6: return [save(step), act(.delete(place)), begin]
    case 7: return [begin, hold, save(step), act(.delete(place))]
    case 8: return [disk(host, &random), begin, save(step), kill(host, &random)]
    case 9: return [act(.label), begin, save(step)]
    case 10: return [begin, save(step), .person(host: host, .addLine("It passes.")), hold]
    default:
      return [
        begin, save(step),
        .reboot(host: host, for: span(20_000_000, &random), wallClockBy: .zero), save(step),
      ]
    }
  }

  func kill(_ host: Int, _ random: inout SplitMix64) -> FaultAction {
    .kill(
      host: host, afterEffects: Int.random(in: 0...6, using: &random),
      for: span(15_000_000, &random))
  }

  func disk(_ host: Int, _ random: inout SplitMix64) -> FaultAction {
    .disk(
      host: host, DiskTrouble.allCases.randomElement(using: &random)!,
      for: span(20_000_000, &random))
  }
}
