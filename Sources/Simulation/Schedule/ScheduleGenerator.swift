import AlertCore
import Emulator
import FobBase
import Judge

/// Draws the actions on a world of one setting.
struct ScheduleGenerator {
  let setting: Setting

  init(_ setting: Setting) { self.setting = setting }

  /// Draws times. Most lie within half a second of one of a few instants: bugs live where things
  /// meet.
  func times(_ count: Int, _ random: inout SplitMix64) -> [Instant] {
    let end = setting.calmFrom.microseconds
    let crowds = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      Int64.random(in: 0..<end, using: &random)
    }
    return (0..<count).map { _ in
      guard Int.random(in: 0..<3, using: &random) > 0 else {
        return Instant(microseconds: .random(in: 0..<end, using: &random))
      }
      let near = crowds.randomElement(using: &random)! + short(400_000, &random)
      return Instant(microseconds: min(near, end - 1))
    }
  }

  func action(_ lots: [Fault], _ random: inout SplitMix64) -> FaultAction {
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let host = Int.random(in: 0..<setting.hosts, using: &random)
    let fault = lots.randomElement(using: &random)!
    return finger(fault, keychain, &random) ?? line(fault, keychain, &random)
      ?? board(fault, keychain, &random) ?? self.host(fault, host, &random)
      ?? people(fault, host, &random)
  }

  /// Adds a person who presses again and again while nobody answers, more often than a keychain can
  /// store.
  func siege(
    _ drawn: [(at: Instant, action: FaultAction)], _ random: inout SplitMix64
  ) -> [(at: Instant, action: FaultAction)] {
    let began = Instant(microseconds: .random(in: 0...3_000_000, using: &random))
    let every = Int64.random(in: 300_000...600_000, using: &random)
    let presses = (0..<Int64.random(in: 60...80, using: &random)).map { index in
      (
        at: began + .microseconds(index * every),
        action: FaultAction.press(keychain: 0, hold: .milliseconds(80))
      )
    }
    let away = FaultAction.unplug(
      keychain: 0, for: .seconds(Int64.random(in: 5...60, using: &random)))
    let all = drawn + [(began, away)] + presses
    return all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element).filter { $0.at < setting.calmFrom }
  }

  // MARK: Defect

  /// Gives one world of four a keychain that is defective or lies. Mostly somebody disarms then and
  /// it is pressed again: there a lie about what came first does harm.
  func defect(_ random: inout SplitMix64) -> [(at: Instant, action: FaultAction)] {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return [] }
    let keychain = Int.random(in: 0..<setting.keychains, using: &random)
    let end = setting.calmFrom.microseconds
    var at: Int64 = 0
    if Bool.random(using: &random) { at = Int64.random(in: 0..<end / 2, using: &random) }
    var drawn = (0..<[1, 1, 2].randomElement(using: &random)!).map { _ in
      (
        at: Instant(microseconds: at),
        action: FaultAction.sicken(keychain: keychain, defect(keychain, &random))
      )
    }
    guard Int.random(in: 0..<4, using: &random) > 0 else { return drawn }
    let host = keychain % setting.hosts
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      at = Int64.random(in: at..<end, using: &random)
      for action in [
        .press(keychain: keychain, hold: .milliseconds(100)), .person(host: host, .disarm),
        .press(keychain: keychain, hold: .milliseconds(100)),
      ] as [FaultAction] {
        drawn.append((at: Instant(microseconds: at), action: action))
        at = min(end - 1, at + Int64.random(in: 200_000...5_000_000, using: &random))
      }
    }
    return drawn
  }

  private func defect(_ keychain: Int, _ random: inout SplitMix64) -> DeviceDefect {
    let clocks = DeviceDefect.Clocks.allCases.randomElement(using: &random)!
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      // The unit is a µs, a ms, or a tick of a watch crystal.
      return .clockWraps(
        bits: [16, 24, 32].randomElement(using: &random)!,
        unit: [1, 31, 1_000].randomElement(using: &random)!,
        fullIn: .seconds(.random(in: 1...60, using: &random)), clocks)
    case 2:
      if Bool.random(using: &random) {
        return .stumbles(
          ahead: .milliseconds(.random(in: 100...12_000, using: &random)),
          numbers: .random(in: 1...70, using: &random))
      }
      return .clockRuns(DeviceDefect.Pace.allCases.randomElement(using: &random)!, clocks)
    case 3, 4, 5: return .numbers(DeviceDefect.Numbers.allCases.randomElement(using: &random)!)
    case 6:
      if setting.keychains > 1, Bool.random(using: &random) {
        return .idBorrowed(from: (keychain + 1) % setting.keychains)
      }
      return .nonces(DeviceDefect.Nonces.allCases.randomElement(using: &random)!)
    default: return .readings
    }
  }

  // MARK: By place

  private func finger(_ fault: Fault, _ keychain: Int, _ random: inout SplitMix64) -> FaultAction? {
    switch fault {
    case .press:
      .press(keychain: keychain, hold: .milliseconds(.random(in: 5...400, using: &random)))
    case .hold:
      .press(keychain: keychain, hold: .milliseconds(.random(in: 500...6_000, using: &random)))
    case .clicks: .clicks(keychain: keychain, Int.random(in: 2...6, using: &random))
    case .frantic: .clicks(keychain: keychain, Int.random(in: 7...12, using: &random))
    case .stuck: .stick(keychain: keychain, for: span(20_000_000, &random))
    default: nil
    }
  }

  private func line(_ fault: Fault, _ keychain: Int, _ random: inout SplitMix64) -> FaultAction? {
    let kinds: [Fault: WireFault.Kind] = [
      .drop: .drop, .flip: .flip, .double: .double, .insert: .insert, .split: .split,
      .stall: .stall,
    ]
    switch fault {
    case .drop, .flip, .double, .insert, .split, .stall:
      let ways: [WireFault.Direction] = [.host, .device, .both]
      return .spoil(
        keychain: keychain, kinds[fault]!, ways.randomElement(using: &random)!,
        rate: [0.001, 0.01, 0.05].randomElement(using: &random)!, for: span(20_000_000, &random))
    case .delay:
      return .delay(
        keychain: keychain, by: span(2_000_000, &random), for: span(20_000_000, &random))
    case .unplug: return .unplug(keychain: keychain, for: span(10_000_000, &random))
    case .move:
      return .move(keychain: keychain, toHost: Int.random(in: 0..<setting.hosts, using: &random))
    default: return nil
    }
  }

  private func board(_ fault: Fault, _ keychain: Int, _ random: inout SplitMix64) -> FaultAction? {
    switch fault {
    case .powerCut:
      .cutPower(
        keychain: keychain, afterBytes: Int.random(in: 0...160, using: &random),
        for: span(5_000_000, &random))
    case .reset: .reset(keychain: keychain)
    case .storeFailing: .failStore(keychain: keychain, for: span(10_000_000, &random))
    case .storeForgetful: .makeStoreForgetful(keychain: keychain, for: span(20_000_000, &random))
    case .bootCounterLost: .loseBootCounter(keychain: keychain)
    case .clockJump:
      .jumpClock(
        keychain: keychain,
        by: Bool.random(using: &random)
          ? span(100_000_000, &random) : .zero - span(100_000_000, &random))
    case .lowBattery:
      .battery(keychain: keychain, millivolts: UInt16.random(in: 3_300...4_200, using: &random))
    case .gpsStory: .gps(keychain: keychain, GPSScript.allCases.randomElement(using: &random)!)
    default: nil
    }
  }

  private func host(_ fault: Fault, _ host: Int, _ random: inout SplitMix64) -> FaultAction? {
    switch fault {
    case .kill:
      return .kill(
        host: host, afterEffects: Int.random(in: 0...12, using: &random),
        for: span(8_000_000, &random))
    case .reboot:
      return .reboot(
        host: host, for: span(30_000_000, &random), wallClockBy: wallJump(&random))
    case .wallJump: return .jumpWallClock(host: host, by: wallJump(&random))
    case .diskSlow, .diskFull, .diskHanging, .diskLying, .diskFailingLate:
      let troubles: [Fault: DiskTrouble] = [
        .diskSlow: .slow, .diskFull: .full, .diskHanging: .hanging, .diskLying: .lying,
        .diskFailingLate: .failingLate,
      ]
      return .disk(host: host, troubles[fault]!, for: span(30_000_000, &random))
    default: return nil
    }
  }

  private func people(_ fault: Fault, _ host: Int, _ random: inout SplitMix64) -> FaultAction {
    let contact = Int.random(in: 0..<max(1, setting.contacts), using: &random)
    let troubles: [Fault: ChannelFault] = [
      .refused: .refused, .silent: .silent, .slow: .slow, .answerLost: .answerLost,
    ]
    if let trouble = troubles[fault] {
      let way = setting.ways > 1 ? Int.random(in: 0..<setting.ways, using: &random) : 0
      return .channel(
        host: host, contact: contact, way: way, trouble, for: span(60_000_000, &random))
    }
    let askings: [Fault: UserRequest] = [
      .disarm: .disarm, .cancel: .cancel, .silence: .silence, .quit: .quit, .resume: .resume,
      .wrongPIN: .wrongPIN,
    ]
    return .person(host: host, askings[fault] ?? .acknowledge(contact: contact))
  }

  // MARK: Lengths of time

  /// Draws a length of time with an even logarithm: short ones are as likely as long ones.
  func span(_ longest: Int64, _ random: inout SplitMix64) -> Interval {
    .microseconds(short(longest, &random))
  }

  func short(_ longest: Int64, _ random: inout SplitMix64) -> Int64 {
    let doublings = Int64.random(in: 4...(63 - Int64(longest.leadingZeroBitCount)), using: &random)
    return min(longest, Int64.random(in: (1 << doublings)...(2 << doublings), using: &random))
  }

  private func wallJump(_ random: inout SplitMix64) -> Interval {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .zero
    case 1: .zero - span(7_200_000_000, &random)
    default: span(7_200_000_000, &random)
    }
  }
}

/// Faults between a bridge and its core.
extension ScheduleGenerator {
  /// - Parameter times: of all other actions: most faults are drawn close to one of them.
  func bridge(
    near times: [Instant], _ random: inout SplitMix64
  ) -> [(at: Instant, action: FaultAction)] {
    let lots = Fault.allCases.filter(\.isOfBridge).lots
    let end = setting.calmFrom.microseconds
    return (0..<Int.random(in: 2...12, using: &random)).map { _ in
      let crowd = times.randomElement(using: &random)?.microseconds ?? 0
      let at =
        Int.random(in: 0..<4, using: &random) == 0
        ? Int64.random(in: 0..<end, using: &random)
        : max(0, crowd + (Bool.random(using: &random) ? 1 : -1) * short(2_000_000, &random))
      return (
        at: Instant(microseconds: min(at, end - 1)),
        action: action(lots.randomElement(using: &random)!, &random)
      )
    }
  }

  private func action(_ fault: Fault, _ random: inout SplitMix64) -> FaultAction {
    switch fault {
    case .feedSlow: .feed(.slow, for: span(20_000_000, &random))
    case .batchLost: .feed(.losesBatches, for: span(40_000_000, &random))
    case .batchAnswerLost: .feed(.losesAnswers, for: span(20_000_000, &random))
    case .batchDoubled: .feed(.doublesBatches, for: span(20_000_000, &random))
    case .streamEnded: .endStream
    case .bridgeKill: .killBridge(for: span(8_000_000, &random))
    default: .feed(.cut, for: span(60_000_000, &random))
    }
  }
}

/// Changes of the account, and programs that raise alarms.
extension ScheduleGenerator {
  /// - Parameter times: of all other actions: most changes are drawn close to one of them.
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

  /// A program without an answer repeats its request, even long after.
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
