public import FobBase
import WireProtocol

/// Judges a world from outside. It imports no AlertCore and shares no rule with it.
///
/// Each keychain and each host has a witness that remembers what was seen of it. A thing that must
/// happen by a certain time is a deadline of a witness. Only the earliest deadline is compared with
/// each observation, so idle witnesses cost nothing.
public struct Judge {
  /// Fixed for the whole run.
  public let rules: Rules
  /// The first 16, in the order in which they were found; empty: every promise was kept.
  public var violations: [Violation] { violationLog.violations }
  /// Events that a disk or a board said it had, and had not: no other part is to blame.
  public private(set) var excused = 0

  var violationLog = ViolationLog()
  private var keychains: [KeychainWitness]
  var hosts: [HostWitness]
  /// Nil where each host has a process of its own.
  var owners: OwnerWitness?
  /// One for each keychain.
  private var leases: [LeaseWitness]
  /// The same for what a light says of check-ins and exercises.
  private var dueLeases: [LeaseWitness]
  /// Since when the last word to each keychain is that check-ins are due, or an exercise, by hosts
  /// with an open alarm alone.
  private var hiddenSince: [Instant?]
  /// The same for a light that says that nothing is wrong, where somebody is on the wires.
  private var calmLeases: [LeaseWitness]
  private var seals: SealWitness
  /// Presses that a host heard and no keychain was seen to keep.
  private var unkept: [Unkept] = []
  private var calm: Instant?
  /// No deadline of any witness is earlier.
  private var nextDue = Instant(microseconds: .max)

  private struct Unkept {
    let identity: EventIdentity
    let host: Int
    let at: Instant
  }

  /// Has seen nothing yet: all keychains are on, and no host runs.
  public init(_ rules: Rules) {
    self.rules = rules
    leases = (0..<rules.keychains).map { LeaseWitness(rules.lease(of: $0)) }
    dueLeases = (0..<rules.keychains).map { LeaseWitness(rules.restingLease(of: $0)) }
    calmLeases = (0..<(rules.isAttacked ? rules.keychains : 0)).map {
      LeaseWitness(rules.restingLease(of: $0))
    }
    seals = SealWitness(rules)
    if rules.isShared { owners = OwnerWitness(rules) }
    hiddenSince = Array(repeating: nil, count: rules.keychains)
    keychains = (0..<rules.keychains).map { KeychainWitness($0, rules) }
    hosts = (0..<rules.hosts).map { HostWitness($0, rules) }
  }

  /// Takes one observation; `now` is never before that of the observation before it.
  public mutating func observe(_ observation: Observation, at now: Instant) {
    if nextDue < now { checkDeadlines(at: now) }
    switch observation {
    case .contact(let keychain, let closed):
      keychains[keychain].moved(closed: closed, at: now)
      expect(keychains[keychain].due)
    case .light(let keychain, let state, _): light(keychain, state, at: now)
    case .queues(let host, let events, let log, let deliveries, let line):
      hosts[host].queues(
        events: events, log: log, deliveries: deliveries, line: line, at: now, &violationLog)
    case .power(let keychain, let isOn):
      keychains[keychain].power(isOn: isOn, at: now)
      expect(keychains[keychain].due)
    case .kept(let keychain, let event, let isVolatile):
      kept(keychain, event, isVolatile: isVolatile, at: now)
    case .said(let keychain, let event, let identity):
      said(keychain, event, as: identity)
    case .boardForgot(let keychain, let identity):
      excused += 1
      keychains[keychain].forgot(identity)
    case .cutOff(let keychain, let isCutOff):
      leases[keychain].cutOff(isCutOff, at: now)
      dueLeases[keychain].cutOff(isCutOff, at: now)
      expect(leases[keychain].ends)
      expect(dueLeases[keychain].ends)
    case .forgotten(let keychain, let number):
      keychains[keychain].forgot(number, at: now, &violationLog)
    case .beat(let keychain, let uptime): seals.said(uptime, keychain)
    case .sent(_, let identity): seals.said(identity)
    case .unacked(let keychain, let count): keychains[keychain].unacked = count
    case .calm: calm = now
    case .account(let host, _), .started(let host, _), .stopped(let host), .rebooted(let host, _),
      .heard(let host, _), .heardUnproved(let host, _), .believed(let host, _, _),
      .stored(let host, _), .diskForgot(let host, _),
      .acked(let host, _, _, _), .indicated(let host, _, _, _, _, _),
      .moved(let host, _, _, _), .raised(let host, _, _), .checkInSaid(let host, _, _),
      .wallClock(let host, _), .zone(let host, _), .companionsFound(let host, _),
      .exerciseSaid(let host, _), .companionsRead(let host, _, _), .wordSeen(let host, _, _),
      .ownersRows(let host, _),
      .asked(let host, _, _), .answered(let host, _, _, _, _), .handedOut(let host, _),
      .told(let host, _), .refused(let host, _):
      hosts[host].order += 1
      observe(observation, ofHost: host, at: now)
      if owners != nil { checkOwner(observation, of: host, at: now) }
      expect(hosts[host].deadline?.at)
    }
  }

  private mutating func observe(
    _ observation: Observation, ofHost host: Int, at now: Instant
  ) {
    switch observation {
    case .account(_, let account): hosts[host].accountSaid(account, at: now, &violationLog)
    case .started(_, let standing): hosts[host].started(standing, at: now, &violationLog)
    case .stopped:
      hosts[host].stopped(at: now)
      weighLeases(at: now)
    case .rebooted(_, let elapsed): hosts[host].rebooted(elapsedByWall: elapsed, at: now)
    case .heard(_, let event):
      if rules.isAttacked { seals.heard(event, by: host, at: now, &violationLog) }
      let keptAt = event.isPress ? keptAt(event.identity) : nil
      let isOthers = isOnAnothersDisk(event.identity, than: host)
      if hosts[host].hear(event, keptAt: keptAt, isOthers: isOthers, at: now) {
        heard(event.identity, by: host, at: now)
      }
    case .heardUnproved(_, let event):
      // Anybody may have made it: it raises, and nobody is to be blamed for it.
      _ = hosts[host].hear(
        event, keptAt: keptAt(event.identity), isUnproved: true,
        isOthers: isOnAnothersDisk(event.identity, than: host), at: now)
    case .believed(_, let keychain, let uptime):
      seals.believed(uptime, of: keychain, by: host, at: now, &violationLog)
    case .stored(_, let batch):
      let over = hosts[host].endedIncidents(in: batch)
      hosts[host].stored(batch, at: now, &violationLog)
      for entry in batch.entries where entry.event.isPress { settle(entry.event) }
      for (identity, endedAt) in over { checkJoin(identity, endedAt, host, at: now) }
    case .diskForgot(_, let identities):
      excused += identities.count
      hosts[host].forgot(identities)
    case .acked(_, let number, let keychain, let crc):
      let isOthers = owners != nil && hosts.contains { $0.disk.hasEntry(number, crc) }
      hosts[host].acked(
        number, keychain: keychain, identityCRC: crc, isOthers: isOthers, at: now, &violationLog)
    case .indicated(_, let incident, let state, _, let keychains, let due):
      hosts[host].indicated(incident, state, to: keychains, at: now, &violationLog)
      let asking = hosts[host].exercises.mayGround(at: now) ? 0 : due
      hosts[host].checkIns.indicated(due: asking, at: now, &violationLog)
      weighLeases(at: now)
    case .moved(_, let incident, let from, let to):
      hosts[host].moved(incident, from: from, to: to, calm: calm, at: now, &violationLog)
      if rules.hasCheckIns || rules.hasExercises { weighLeases(at: now) }
    case .asked(_, let request, let userRequest): hosts[host].asked(request, userRequest, at: now)
    case .answered(_, let request, _, let isRefused, let isDurable):
      hosts[host].answered(
        request, isRefused: isRefused, isDurable: isDurable, at: now, &violationLog)
    case .handedOut(_, let message): hosts[host].handedOut(message, at: now, &violationLog)
    case .told(_, let message): hosts[host].told(message, at: now, &violationLog)
    case .refused(_, let message): hosts[host].refused(message, at: now)
    default: observe(observation, ofCheckInsOf: host, at: now)
    }
  }

  private mutating func observe(
    _ observation: Observation, ofCheckInsOf host: Int, at now: Instant
  ) {
    switch observation {
    case .raised(_, let incident, let name):
      hosts[host].raised(incident, by: name, at: now, &violationLog)
    case .checkInSaid(_, let word, let name):
      hosts[host].checkIns.said(word, name, at: now, &violationLog)
    case .wallClock(_, let wall): hosts[host].checkIns.clockSet(to: wall, at: now)
    case .zone(_, let zone): hosts[host].checkIns.handIn(zone, at: now)
    case .companionsFound(_, let found): hosts[host].found(found, at: now)
    case .ownersRows(_, let rows): hosts[host].hasOfOwner(rows, at: now, &violationLog)
    case .exerciseSaid(_, let word): hosts[host].said(word, at: now, &violationLog)
    case .companionsRead(_, let reviews, let breathing):
      hosts[host].read(reviews, breathing, at: now, &violationLog)
    case .wordSeen(_, let word, let place):
      hosts[host].reviews.seen(word, in: place, at: now, &violationLog)
    default: break
    }
  }

  /// Reports a broken rule that only the world itself can see.
  public mutating func accuse(_ rule: Violation.Rule, at now: Instant, _ detail: String) {
    violationLog.accuse(rule, at: now, detail)
  }

  /// The world is over, at least `settleWithin` after `calm`.
  public mutating func finish(at now: Instant) {
    checkDeadlines(at: now)
    let calm = calm
    let within = rules.settleWithin
    // In a world that never became calm nothing was promised.
    let isSettled = { (since: Instant) in calm.map { max($0, since) + within <= now } ?? false }
    for keychain in keychains { keychain.finish(at: now, isSettled: isSettled, &violationLog) }
    for host in hosts {
      host.finish(at: now, calm: calm, keychains, &violationLog)
    }
  }

  // MARK: Presses

  private mutating func kept(
    _ keychain: Int, _ event: Event, isVolatile: Bool, at now: Instant
  ) {
    let isOnDisk = event.isPress && isOnDisk(event.identity)
    keychains[keychain].kept(
      event, isVolatile: isVolatile, isOnDisk: isOnDisk, at: now, &violationLog)
    if !unkept.isEmpty {
      let said = keychains[keychain].saying(event.identity)
      unkept.removeAll { $0.identity == said }
    }
    expect(keychains[keychain].due)
  }

  private mutating func said(_ keychain: Int, _ event: Event, as identity: EventIdentity) {
    keychains[keychain].said(event, as: identity)
    // The same identity said again is the same event: that is the protocol.
    if isOnDisk(identity) { keychains[keychain].settle(event, saidAs: identity) }
  }

  /// Some host's disk has the event. The witnesses are asked by index, here and elsewhere: one that
  /// is handed to a closure is a copy of all that its host has shown.
  private func isOnDisk(_ identity: EventIdentity) -> Bool {
    hosts.indices.contains { hosts[$0].disk.entries[identity] != nil }
  }

  /// When the press was first kept that hosts know by this identity; nil: never.
  private func keptAt(_ identity: EventIdentity) -> Instant? {
    keychains.lazy.compactMap { $0.keptAt(identity) }.first
  }

  private mutating func heard(_ identity: EventIdentity, by host: Int, at now: Instant) {
    let isKnown =
      keychains.indices.contains { keychains[$0].hasKept(identity) }
      || hosts.indices.contains { $0 != host && hosts[$0].hasHeard(identity) }
    guard !isKnown else { return }
    unkept.append(Unkept(identity: identity, host: host, at: now))
    expect(now + Rules.atOnce)
  }

  /// Explains a press that no keychain was seen to keep. Power may go while a store writes, so an
  /// event may be kept though nobody saw it finished. More such events than power cuts during a
  /// press are invented.
  private mutating func account(for press: Unkept) {
    let device = press.identity.deviceID
    var own = keychains.indices.filter { keychains[$0].calls(itself: device) }
    if own.isEmpty { own = keychains.indices.filter { keychains[$0].device == nil } }
    for index in own where keychains[index].explainsUnkept() { return }
    violationLog.accuse(
      .pressInvented, at: press.at,
      "host \(press.host + 1) heard \(press.identity.text), which no keychain kept")
  }

  private mutating func settle(_ event: Event) {
    // Another keychain's claim to stand for it does not concern the keychain that kept it.
    if let owner = keychains.indices.first(where: { keychains[$0].hasKept(event.identity) }) {
      keychains[owner].settle(event, saidAs: event.identity)
    } else {
      for index in keychains.indices { keychains[index].settle(event, saidAs: event.identity) }
    }
  }

  /// Only a press made before an incident's end can become its entry after that end.
  private mutating func checkJoin(
    _ identity: EventIdentity, _ endedAt: Instant, _ host: Int, at now: Instant
  ) {
    guard let keptAt = keptAt(identity), keptAt > endedAt + Rules.atOnce else { return }
    violationLog.accuse(
      .incidentNotOpened, at: now,
      "host \(host + 1) has \(identity.text) in an incident that was over when it was made")
  }

  // MARK: Lights

  private mutating func light(_ keychain: Int, _ state: ShownState, at now: Instant) {
    keychains[keychain].light(state, at: now, &violationLog)
    if state.isOfCompanion {
      if dueLeases[keychain].isOver(at: now) { accuseDue(keychain, at: now) }
      expect(dueLeases[keychain].ends)
    }
    if rules.isAttacked, state.claimsCalm {
      if calmLeases[keychain].isOver(at: now) { accuseCalm(keychain, at: now) }
      expect(calmLeases[keychain].ends)
    }
    guard state.claimsHelp else { return }
    if leases[keychain].isOver(at: now) {
      accuseLease(keychain, at: now)
    } else {
      expect(leases[keychain].ends)
    }
  }

  mutating func weighLeases(at now: Instant) {
    for keychain in leases.indices {
      let isSaid = hosts.indices.contains {
        hosts[$0].claims.contains(keychain) && speaks($0, to: keychain)
      }
      leases[keychain].weigh(isSaid: isSaid, at: now)
      expect(leases[keychain].ends)
      let saying = hosts.indices.filter {
        hosts[$0].dueTold.contains(keychain) && speaks($0, to: keychain)
      }
      dueLeases[keychain].weigh(isSaid: !saying.isEmpty, at: now)
      expect(dueLeases[keychain].ends)
      if rules.isAttacked {
        calmLeases[keychain].weigh(
          isSaid: hosts.indices.contains { hosts[$0].calmTold.contains(keychain) }, at: now)
        expect(calmLeases[keychain].ends)
      }
      let isHidden = !saying.isEmpty && saying.allSatisfy { hosts[$0].isLocked }
      hiddenSince[keychain] = isHidden ? hiddenSince[keychain] ?? now : nil
      expect(hiddenEnds(keychain))
    }
  }

  private mutating func accuseLease(_ keychain: Int, at now: Instant) {
    let seconds = leases[keychain].lease.microseconds / 1_000_000
    violationLog.accuse(
      .lightBeforeCommit, at: now,
      "keychain \(keychain + 1) claims help, and for \(seconds) s no host has said so")
  }

  private mutating func accuseCalm(_ keychain: Int, at now: Instant) {
    let seconds = calmLeases[keychain].lease.microseconds / 1_000_000
    violationLog.accuse(
      .staleCalm, at: now,
      "keychain \(keychain + 1) shows that nothing is wrong, and for \(seconds) s no host says so"
    )
  }

  /// When a light that a host has not changed since its alarm began has no lease any more.
  private func hiddenEnds(_ keychain: Int) -> Instant? {
    hiddenSince[keychain].map { $0 + dueLeases[keychain].lease }
  }

  private mutating func accuseDue(_ keychain: Int, at now: Instant) {
    let isLocked = hosts.contains { $0.isLocked }
    let isBreathing = keychains[keychain].light == .breathing
    let rule: Violation.Rule =
      isBreathing
      ? isLocked ? .exerciseHidAlarm : .exerciseInvented
      : isLocked ? .alarmHidden : .checkInUnasked
    violationLog.accuse(
      rule, at: now,
      "keychain \(keychain + 1) \(isBreathing ? "breathes" : "shows that a check-in is due"),"
        + " and no host without an alarm says so")
  }

  // MARK: Time

  private mutating func expect(_ due: Instant?) { if let due, due < nextDue { nextDue = due } }

  private mutating func checkDeadlines(at now: Instant) {
    for press in unkept where press.at + Rules.atOnce < now { account(for: press) }
    unkept.removeAll { $0.at + Rules.atOnce < now }
    for index in leases.indices {
      guard let ends = leases[index].ends, leases[index].takeEnd(at: now),
        keychains[index].light?.claimsHelp == true
      else { continue }
      accuseLease(index, at: ends)
    }
    for index in dueLeases.indices {
      guard let ends = dueLeases[index].ends, dueLeases[index].takeEnd(at: now),
        keychains[index].light?.isOfCompanion == true
      else { continue }
      accuseDue(index, at: ends)
    }
    for index in calmLeases.indices {
      guard let ends = calmLeases[index].ends, calmLeases[index].takeEnd(at: now),
        keychains[index].light?.claimsCalm == true
      else { continue }
      accuseCalm(index, at: ends)
    }
    for index in hiddenSince.indices {
      guard let ends = hiddenEnds(index), ends < now else { continue }
      hiddenSince[index] = nil
      if keychains[index].light?.isOfCompanion == true { accuseDue(index, at: ends) }
    }
    nextDue = Instant(microseconds: .max)
    for index in keychains.indices {
      keychains[index].check(at: now, &violationLog)
      expect(keychains[index].due)
    }
    for index in hosts.indices {
      hosts[index].check(at: now, &violationLog)
      expect(hosts[index].deadline?.at)
    }
    for lease in leases + dueLeases + calmLeases { expect(lease.ends) }
    for press in unkept { expect(press.at + Rules.atOnce) }
    for index in hiddenSince.indices { expect(hiddenEnds(index)) }
  }
}
