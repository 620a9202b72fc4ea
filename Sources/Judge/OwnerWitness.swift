import FobBase
import WireProtocol

/// Remembers whose each keychain is, where hosts are accounts of one process, and checks that what
/// comes of it is its owner's.
///
/// A keychain is an account's from when somebody was told so, or from the start on a disk that says
/// so, until that account has given it up.
struct OwnerWitness: Sendable {
  private let devices: [DeviceID]
  private var claimed: [Set<DeviceID>]
  /// All keychains that each account ever had.
  private var hadEver: [Set<DeviceID>]
  private var owners: [DeviceID: Int] = [:]
  /// Presses that each account has heard, and whether another's disk had them when it first did.
  private var isOthers: [[EventIdentity: Bool]]
  private struct Request: Hashable {
    let host: Int
    let number: UInt64
  }
  /// Those without an answer.
  private var claims: [DeviceID: Request] = [:]
  /// Those that change an account, without an answer.
  private var changes: Set<Request> = []
  /// Presses that another account had heard at a claim, and that were on no disk yet, or heard
  /// meanwhile.
  private var amidClaims: Set<EventIdentity> = []

  init(_ rules: Rules) {
    devices = rules.devices
    claimed = Array(repeating: [], count: rules.hosts)
    hadEver = claimed
    isOthers = Array(repeating: [:], count: rules.hosts)
  }

  func owns(_ host: Int, keychain: Int) -> Bool { owner(of: devices[keychain]) == host }

  private func owner(of device: DeviceID) -> Int { owners[device] ?? 0 }

  /// An account was started, or has answered that a change of it is done. Its process takes it then
  /// as it stands, with what is not durable yet; at no other answer.
  mutating func learn(
    _ account: AccountState, of host: Int, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    let said = account.keychains ?? []
    for device in claimed[host].subtracting(said) where owners[device] == host {
      owners[device] = nil
    }
    claimed[host] = said
    hadEver[host].formUnion(said)
    for device in said.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let other = owners[device], other != host else {
        owners[device] = host
        continue
      }
      violationLog.accuse(
        .wrongOwner, at: now,
        "host \(host + 1) has keychain \(number(of: device)), which is host \(other + 1)'s")
    }
  }

  /// - Parameter isStored: whether any disk has an event.
  mutating func asked(
    _ request: UserRequest, as number: UInt64, of host: Int,
    isStored: (EventIdentity) -> Bool
  ) {
    let key = Request(host: host, number: number)
    if request.changesAccount { changes.insert(key) }
    guard case .claim(let device) = request else { return }
    claims[device] = key
    let heard = isOthers.indices.filter { $0 != host }.flatMap { isOthers[$0].keys }
    amidClaims.formUnion(heard.filter { $0.deviceID == device && !isStored($0) })
  }

  /// - Returns: whether it was to change the account.
  mutating func answered(_ number: UInt64, of host: Int) -> Bool {
    let key = Request(host: host, number: number)
    claims = claims.filter { $0.value != key }
    return changes.remove(key) != nil
  }

  mutating func stopped(_ host: Int) {
    claims = claims.filter { $0.value.host != host }
    changes = changes.filter { $0.host != host }
    claimed[host] = []
    owners = owners.filter { $0.value != host }
  }

  // MARK: Checks

  /// - Parameter isOthers: whether another account's disk has it.
  mutating func heard(
    _ event: EventIdentity, by host: Int, isOthers: Bool, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    if self.isOthers[host][event] == nil { self.isOthers[host][event] = isOthers }
    if let claim = claims[event.deviceID], claim.host != host { amidClaims.insert(event) }
    let owner = owner(of: event.deviceID)
    guard owner != host else { return }
    violationLog.accuse(
      .wrongOwner, at: now,
      "host \(host + 1) heard \(event.text), and that keychain is host \(owner + 1)'s")
  }

  func indicated(
    to keychains: Set<Int>?, by host: Int, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    for keychain in (keychains ?? Set(devices.indices)).sorted() {
      guard !owns(host, keychain: keychain) else { continue }
      violationLog.accuse(
        .wrongOwner, at: now,
        "host \(host + 1) tells keychain \(keychain + 1) what to show, and that is"
          + " host \(owner(of: devices[keychain]) + 1)'s")
    }
  }

  /// Two accounts may have a press that came before it was on any disk, while its keychain changed
  /// its owner: then both must tell of it. So may they have one that was on no disk at a claim, or
  /// came behind it: a process moves its alarm with the claim, and these hosts move none, which is
  /// another world's to play.
  func stored(
    _ press: EventIdentity, by host: Int, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard isOthers[host][press] == true, !amidClaims.contains(press) else { return }
    violationLog.accuse(
      .pressDoubled, at: now,
      "host \(host + 1) stored \(press.text), which another account had when it came")
  }

  /// Unclaimed keychains are the first account's, so it may log any.
  func logged(
    _ logged: Set<DeviceID>, by host: Int, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard host > 0 else { return }
    for device in logged.subtracting(hadEver[host]).sorted(by: { $0.rawValue < $1.rawValue }) {
      violationLog.accuse(
        .wrongOwner, at: now,
        "host \(host + 1) logs what keychain \(number(of: device)) said, which it never had")
    }
  }

  private func number(of device: DeviceID) -> Int { (devices.firstIndex(of: device) ?? -1) + 1 }
}

extension Judge {
  /// Checks that what a host hears, says and stores is of its own keychains.
  mutating func checkOwner(_ observation: Observation, of host: Int, at now: Instant) {
    switch observation {
    case .started: learnOwner(host, at: now)
    case .asked(_, let number, let request):
      owners?.asked(request, as: number, of: host) { [hosts] event in
        hosts.contains { $0.disk.entries[event] != nil }
      }
    case .answered(_, let number, _, let isRefused, _):
      let isChange = owners?.answered(number, of: host) ?? false
      if isChange, !isRefused { learnOwner(host, at: now) }
    case .stopped: owners?.stopped(host)
    case .heard(_, let event), .heardUnproved(_, let event):
      let isOthers = isOnAnothersDisk(event.identity, than: host)
      owners?.heard(event.identity, by: host, isOthers: isOthers, at: now, &violationLog)
    case .indicated(_, _, _, _, let keychains, _):
      owners?.indicated(to: keychains, by: host, at: now, &violationLog)
    case .stored(_, let batch):
      owners?.logged(batch.logged, by: host, at: now, &violationLog)
      for entry in batch.entries where entry.event.isPress {
        owners?.stored(entry.event.identity, by: host, at: now, &violationLog)
      }
    default: break
    }
  }

  /// Whether another account of the same process has the event: to this one it is a known one.
  func isOnAnothersDisk(_ event: EventIdentity, than host: Int) -> Bool {
    owners != nil
      && hosts.indices.contains { $0 != host && hosts[$0].disk.entries[event] != nil }
  }

  /// Whether a keychain may go by what a host told it last.
  func speaks(_ host: Int, to keychain: Int) -> Bool {
    owners?.owns(host, keychain: keychain) ?? true
  }

  private mutating func learnOwner(_ host: Int, at now: Instant) {
    owners?.learn(hosts[host].account, of: host, at: now, &violationLog)
    weighLeases(at: now)
  }
}
