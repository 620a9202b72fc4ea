import FobBase
import WireProtocol

/// Remembers one keychain: what the finger did, what the board kept of it, and what its light says.
struct KeychainWitness: Sendable {
  private struct Press {
    let identity: EventIdentity
    let keptAt: Instant
    var isVolatile: Bool
    /// For how long its contact was closed at least.
    var held = Interval.zero
  }

  /// A hold for sure: a click is shorter than 0.5 s by the board's clock.
  private static let hold = Interval.milliseconds(510)
  /// A hold for sure by a host's clock, for a press that comes within `Rules.atOnce`.
  private static let seenHold = Interval.milliseconds(760)

  private let index: Int
  private(set) var contact: ContactWitness
  private(set) var device: DeviceID?
  private(set) var isOn = true
  private(set) var onSince = Instant(microseconds: 0)
  private(set) var keptAt: Instant?
  private var presses: [Press] = []
  private var known: [EventIdentity: Int] = [:]
  /// What the board has kept of presses that stand for several.
  private var merged: [EventIdentity: Event] = [:]
  /// For a keychain that is defective or lies: what it says in place of the identity that it keeps,
  /// and the events that it calls so.
  private var sayings: [EventIdentity: EventIdentity] = [:]
  private var called: [EventIdentity: [Event]] = [:]
  private var borrowed: DeviceID?
  /// The indexes in `presses` of those that are on no disk.
  private var owing: [Int] = []
  /// The press of the contact that is closed now.
  private var latest: Int?
  private(set) var light: ShownState?
  private var falseLightSince: Instant?
  /// Power cuts while a press may have been in writing: it may be stored though nobody saw it
  /// finished.
  private(set) var cuts = 0
  private var cutPresses = 0
  var unacked = 0

  init(_ index: Int, _ rules: Rules) {
    self.index = index
    contact = ContactWitness(rules)
  }

  // MARK: The finger

  mutating func moved(closed: Bool, at now: Instant) {
    if !closed { letGo(at: now) }
    contact.moved(closed: closed, at: now)
  }

  private mutating func letGo(at now: Instant) {
    if let latest { presses[latest].held = contact.held(until: now) }
    latest = nil
  }

  mutating func power(isOn: Bool, at now: Instant) {
    if !isOn {
      letGo(at: now)
      if contact.wasTouched(at: now) { cuts += 1 }
      owing.removeAll { presses[$0].isVolatile }
      light = nil
      falseLightSince = nil
    }
    self.isOn = isOn
    if isOn { onSince = now }
    contact.power(isOn: isOn, at: now)
  }

  /// Whether no host may take the press for a click. Where the keychain's own clock is wrong, a
  /// host knows by its own clock how long the press was held, if it came at once
  /// (docs/reference/limits.md).
  func wasHeld(_ identity: EventIdentity, storedAt: Instant) -> Bool {
    guard let press = press(called: identity).map({ presses[$0] }) else { return false }
    guard sayings.contains(where: { $0.key.clock != $0.value.clock }) else {
      return press.held >= Self.hold
    }
    return press.held >= Self.seenHold && storedAt - press.keptAt <= Rules.atOnce
  }

  // MARK: What it says

  mutating func said(_ event: Event, as identity: EventIdentity) {
    sayings[event.identity] = identity
    called[identity, default: []].append(event)
    borrowed = identity.deviceID
  }

  /// The identity by which hosts know an event.
  func saying(_ identity: EventIdentity) -> EventIdentity { sayings[identity] ?? identity }

  /// It says other identities than it keeps.
  var isDefective: Bool { !sayings.isEmpty }

  func calls(itself other: DeviceID) -> Bool { device == other || borrowed == other }

  /// The press that hosts know by this identity; where several are called so, the first.
  private func press(called said: EventIdentity) -> Int? {
    let own = sayings[said] == nil ? known[said] : nil
    guard let events = called[said] else { return own }
    return (events.map { known[$0.identity] } + [own]).compactMap(\.self).min()
  }

  // MARK: The store

  func hasKept(_ said: EventIdentity) -> Bool { press(called: said) != nil }

  /// When the press was first kept; nil: never.
  func keptAt(_ said: EventIdentity) -> Instant? { press(called: said).map { presses[$0].keptAt } }

  /// The board has kept an event.
  /// - Parameter isOnDisk: a host has it already.
  mutating func kept(
    _ event: Event, isVolatile: Bool, isOnDisk: Bool, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    let identity = event.identity
    device = identity.deviceID
    keptAt = now
    guard event.isPress else { return }
    if event.flags.contains(.merged) { merged[identity] = event }
    if let press = known[identity] {
      if !isVolatile { presses[press].isVolatile = false }
    } else {
      switch contact.keep(at: now) {
      case .fine: break
      case .invented:
        violationLog.accuse(
          .pressInvented, at: now,
          "keychain \(index + 1) kept \(identity.text), and its contact was not closed")
      case .doubled:
        violationLog.accuse(
          .pressDoubled, at: now,
          "keychain \(index + 1) kept \(identity.text) of a contact that it had kept already")
      }
      known[identity] = presses.count
      if contact.isClosed { latest = presses.count }
      if !isOnDisk { owing.append(presses.count) }
      presses.append(Press(identity: identity, keptAt: now, isVolatile: isVolatile))
    }
    if light?.claimsNothingWaits == true, owesDurable { falseLightSince = falseLightSince ?? now }
  }

  mutating func forgot(_ identity: EventIdentity) {
    owing.removeAll { presses[$0].identity == identity }
    mendLight()
  }

  /// It has forgotten the event of this number, by an ack that it believed.
  mutating func forgot(
    _ number: EventNumber, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    // Two events may have one number, where a boot could not be counted.
    let own = presses.indices.filter { presses[$0].identity.number == number }
    guard !own.isEmpty, own.allSatisfy(owing.contains) else { return }
    violationLog.accuse(
      .pressLost, at: now,
      "keychain \(index + 1) has forgotten press \(number.text), and no disk has it")
  }

  /// A host's disk has this event.
  mutating func settle(_ event: Event, saidAs said: EventIdentity) {
    guard !owing.isEmpty else { return }
    // The kept record tells which presses it stands for. One that came without its proof does not.
    let stored = called[said] ?? [merged[said] ?? event]
    let sayings = sayings
    owing.removeAll { press in
      let identity = presses[press].identity
      return (sayings[identity] ?? identity) == said || stored.contains { $0.covers(identity) }
    }
    mendLight()
  }

  /// A host heard a press of this keychain that it was never seen to keep.
  /// - Returns: whether a cut of its power explains it.
  mutating func explainsUnkept() -> Bool {
    guard cutPresses < cuts else { return false }
    cutPresses += 1
    return true
  }

  private var owesDurable: Bool { owing.contains { !presses[$0].isVolatile } }

  // MARK: The light

  mutating func light(_ state: ShownState, at now: Instant, _ violationLog: inout ViolationLog) {
    light = state
    falseLightSince = nil
    if state.claimsNothingWaits, owesDurable { accuseLight(at: now, &violationLog) }
  }

  private mutating func mendLight() { if !owesDurable { falseLightSince = nil } }

  private func accuseLight(at now: Instant, _ violationLog: inout ViolationLog) {
    let first = owing.first { !presses[$0].isVolatile }
    violationLog.accuse(
      .lightBeforeCommit, at: now,
      "keychain \(index + 1) shows \(light.map { "\($0)" } ?? "nothing"), and no disk has "
        + "\(first.map { presses[$0].identity.text } ?? "its press")")
  }

  // MARK: Time

  var due: Instant? {
    .earlier(falseLightSince.map { $0 + Rules.atOnce }, contact.due)
  }

  mutating func check(at now: Instant, _ violationLog: inout ViolationLog) {
    if let since = contact.unheard(at: now) {
      violationLog.accuse(
        .pressUnheard, at: since + Rules.atOnce,
        "keychain \(index + 1) has kept nothing of the press at \(since.microseconds) µs")
    }
    if let over = Rules.takeOverdue(&falseLightSince, at: now) {
      accuseLight(at: over, &violationLog)
    }
  }

  // MARK: The end

  /// - Parameter isSettled: whether a state that has lasted since that time must be in order by
  ///   now.
  func finish(at now: Instant, isSettled: (Instant) -> Bool, _ violationLog: inout ViolationLog) {
    // Without power it keeps its events and can send none.
    guard isOn, isSettled(onSince) else { return }
    for press in owing.map({ presses[$0] }) where isSettled(press.keptAt) {
      violationLog.accuse(
        .pressLost, at: now, "keychain \(index + 1) kept \(press.identity.text), and no disk has it"
      )
    }
    if unacked > 0, isSettled(keptAt ?? onSince) {
      violationLog.accuse(
        .notAckedInTime, at: now, "keychain \(index + 1) still holds \(unacked) events")
    }
  }
}
