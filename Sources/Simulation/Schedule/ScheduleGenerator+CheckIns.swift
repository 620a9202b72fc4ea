import AlertCore
import Emulator
import FobBase
import Judge

extension Setting {
  /// The world's wall clocks begin here, µs since 1970: 2025-06-15, 15:06:40 UTC.
  static let wallClock: Int64 = 1_750_000_000_000_000

  /// Draws an account that asks, and time enough for silence to raise an alarm.
  mutating func drawCheckIns(_ random: inout SplitMix64) {
    let from = Self.wallClock / 1_000_000
    let first = Int64([0, 0, 60, 120, -300, 330].randomElement(using: &random)!) * 60
    var zone = Zone(first: first)
    if Bool.random(using: &random) {
      let leap = Int64([60, -60, 30, -30, -5].randomElement(using: &random)!) * 60
      zone.changes = [
        Zone.Change(at: from + Int64.random(in: -600...900, using: &random), ahead: first + leap)
      ]
    }
    self.zone = zone
    hasGPS = false
    isLoggedIn = Int.random(in: 0..<8, using: &random) != 0
    isProtecting = isLoggedIn && Int.random(in: 0..<6, using: &random) != 0
    policy.triggerCountdown = .seconds(Int64.random(in: 1...20, using: &random))
    policy.tracking = .seconds(Int64.random(in: 15...60, using: &random))
    if Int.random(in: 0..<4, using: &random) != 0 {
      policy.profile = .guarded(PanicSlots(rawValue: UInt8.random(in: 0...31, using: &random)))
    }
    calmFrom = max(
      calmFrom, .init(microseconds: .random(in: 380_000_000...560_000_000, using: &random)))
    end = calmFrom + .seconds(62)
  }
}

/// Series of check-ins, and what people and faults do about the times at which they ask.
extension ScheduleGenerator {
  func checkIns(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    var drawn: [(at: Instant, action: FaultAction)] = []
    var crowds: [(at: Int64, host: Int)] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let host = Int.random(in: 0..<setting.hosts, using: &random)
      let at = Int64.random(in: 2_000_000...40_000_000, using: &random)
      let (plan, due) = plan(after: at, &random)
      drawn.append((Instant(microseconds: at), .checkIn(host: host, .add(plan))))
      crowds += [
        (due - Int64(plan.lead) * 60_000_000, host), (due, host), (due, host),
        (due + Int64(plan.limit) * 60_000_000, host), (due + Int64(plan.limit) * 60_000_000, host),
      ]
    }
    let end = setting.calmFrom.microseconds
    let met = crowds.filter { (0..<end).contains($0.at) }
    for _ in 0..<Int.random(in: 2...14, using: &random) {
      var (at, host) = (
        Int64.random(in: 0..<end, using: &random), Int.random(in: 0..<setting.hosts, using: &random)
      )
      if Int.random(in: 0..<4, using: &random) != 0, let crowd = met.randomElement(using: &random) {
        host = crowd.host
        at = crowd.at + (Bool.random(using: &random) ? 1 : -1) * short(4_000_000, &random)
      }
      for action in actions(at: at, host, &random) {
        drawn.append((Instant(microseconds: min(end - 1, max(0, at))), action))
        at += Int64.random(in: 200_000...3_000_000, using: &random)
      }
    }
    return drawn
  }

  /// A plan that asks within some minutes.
  /// - Returns: it, and when it falls due first, as time of the world, µs.
  private func plan(after at: Int64, _ random: inout SplitMix64) -> (SeriesPlan, due: Int64) {
    let minute: Int64 = 60_000_000
    let ahead = Int64([1, 1, 1, 2, 3].randomElement(using: &random)!)
    let due = ((Setting.wallClock + at) / minute + ahead) * minute
    let zone = setting.zone!
    let offsets = [zone.first] + zone.changes.map(\.ahead)
    let local = due / minute + offsets.randomElement(using: &random)! / 60
    let isOften = Int.random(in: 0..<3, using: &random) == 0
    let plan = SeriesPlan(
      isOften
        ? .days(
          every: Int.random(in: 1...2, using: &random),
          times: Int.random(in: 1...4, using: &random),
          hoursApart: Int.random(in: 1...3, using: &random)) : .once,
      minute: Int(local % 1_440), start: Int(local / 1_440),
      lead: [0, 0, 0, 1, 2, 30, 120].randomElement(using: &random)!,
      escalates: Int.random(in: 0..<5, using: &random) != 0,
      limit: [5, 5, 5, 6].randomElement(using: &random)!,
      device: Int.random(in: 0..<5, using: &random) == 0
        ? DeviceID(keychain: .random(in: 0..<setting.keychains, using: &random)) : nil)
    return (plan, due - Setting.wallClock)
  }

  private func actions(
    at: Int64, _ host: Int, _ random: inout SplitMix64
  ) -> [FaultAction] {
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let click = FaultAction.press(
      keychain: keychain, hold: .milliseconds(.random(in: 60...300, using: &random)))
    let hold = FaultAction.press(keychain: keychain, hold: .milliseconds(800))
    func person(_ asking: UserRequest) -> FaultAction { .person(host: host, asking) }
    func checkIn(_ action: CheckInAction) -> FaultAction { .checkIn(host: host, action) }
    switch Int.random(in: 0..<22, using: &random) {
    case 0, 1, 2: return [click]
    case 3: return [checkIn(.complete)]
    case 4: return [.jumpWallClock(host: host, by: span(14_400_000_000, &random))]
    case 5: return [.unplug(keychain: keychain, for: span(60_000_000, &random)), click]
    case 6: return [hold, person(.disarm), person(.resume)]
    case 7:
      return [
        .kill(
          host: host, afterEffects: Int.random(in: 0...6, using: &random),
          for: span(20_000_000, &random))
      ]
    case 8:
      return [.reboot(host: host, for: span(400_000_000, &random), wallClockBy: .zero)]
    case 9: return [.jumpWallClock(host: host, by: leap(&random))]
    case 10:
      return [.reboot(host: host, for: span(30_000_000, &random), wallClockBy: leap(&random))]
    case 11: return [.disk(host: host, .full, for: span(30_000_000, &random)), checkIn(.complete)]
    case 12: return [person(.logOut), person(.logIn), person(.protect)]
    case 13: return [person(.unprotect)]
    case 14: return [person(.protect)]
    case 15, 16: return [person(.disarm), person(.resume)]
    case 17:
      return [
        checkIn(.edit(Int.random(in: 0..<3, using: &random), plan(after: max(0, at), &random).0))
      ]
    case 18: return [checkIn(.remove(Int.random(in: 0..<3, using: &random)))]
    case 19: return [checkIn(.restore)]
    case 20:
      var zone = setting.zone!
      zone.first += Int64([-30, 30, 60, -60, -5].randomElement(using: &random)!) * 60
      return [.changeZone(host: host, zone)]
    default: return [checkIn(.complete), click]
    }
  }

  /// A wall clock is set by minutes, seldom by hours.
  private func leap(_ random: inout SplitMix64) -> Interval {
    let most: Int64 = Int.random(in: 0..<4, using: &random) == 0 ? 7_200_000_000 : 600_000_000
    let leap = span(most, &random)
    return Bool.random(using: &random) ? leap : .zero - leap
  }
}
