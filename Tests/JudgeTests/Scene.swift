import FobBase
import Judge
import WireProtocol

/// A world as a test tells it to a judge, in milliseconds.
struct Scene {
  var judge: Judge
  private(set) var now: Int64 = 0
  private var sequences: [UInt64: Int] = [:]

  /// - Parameters:
  ///   - account: of each host.
  ///   - accounts: of each host its own, in place of `account`.
  init(
    account: AccountState? = nil, accounts: [AccountState] = [],
    _ change: (inout Rules) -> Void = { _ in }
  ) {
    var rules = Rules()
    change(&rules)
    judge = Judge(rules)
    for host in 0..<rules.hosts {
      let account = accounts.indices.contains(host) ? accounts[host] : account
      if let account { see(.account(host: host, account)) }
      see(.started(host: host, RestoredState()))
    }
  }

  /// A press that a host has heard.
  mutating func hear(_ press: Event) {
    self.press(press)
    see(.heard(host: 0, press))
  }

  /// A countdown of 10 s that this press has begun, on the disk.
  static func countdown(
    by press: Event, _ change: (inout Rules) -> Void = { _ in }
  ) -> Scene {
    var scene = Scene {
      $0.countdown = .seconds(10)
      change(&$0)
    }
    scene.hear(press)
    scene.move(press.name, .noEmergency, .alertCountdown)
    scene.store([press], in: press.name, row: .alertCountdown)
    return scene
  }

  var found: [Violation.Rule] { judge.violations.map(\.rule) }

  mutating func see(_ observation: Observation) {
    judge.observe(observation, at: Instant(microseconds: now * 1_000))
  }

  mutating func at(_ milliseconds: Int64) {
    precondition(milliseconds >= now, "time does not go back")
    now = milliseconds
  }

  mutating func pass(_ milliseconds: Int64) { now += milliseconds }

  /// Calm, then long enough for everything to settle.
  mutating func finish() {
    see(.calm)
    pass(200_000)
    judge.finish(at: Instant(microseconds: now * 1_000))
  }

  // MARK: Keychains

  mutating func close(_ keychain: Int = 0) { see(.contact(keychain: keychain, closed: true)) }
  mutating func open(_ keychain: Int = 0) { see(.contact(keychain: keychain, closed: false)) }

  mutating func keep(_ event: Event, keychain: Int = 0, isVolatile: Bool = false) {
    see(.kept(keychain: keychain, event, isVolatile: isVolatile))
  }

  /// A finger presses for 100 ms; the board keeps it and shows that it waits.
  mutating func press(_ event: Event, keychain: Int = 0, isVolatile: Bool = false) {
    close(keychain)
    pass(20)
    keep(event, keychain: keychain, isVolatile: isVolatile)
    show(.sending, keychain: keychain)
    pass(80)
    open(keychain)
    pass(200)
  }

  // MARK: Hosts

  mutating func store(
    _ entries: [Event] = [], in incident: UInt64 = 0, isOpen: Bool = false,
    row: Workflow? = nil, presses: [EventNumber]? = nil, acknowledgedBy: Set<Int> = [],
    host: Int = 0
  ) {
    var batch = Batch()
    batch.entries = entries.map { Batch.Entry(event: $0, incident: incident, isOpen: isOpen) }
    if let row {
      batch.incidents = [
        Batch.Incident(
          name: incident, state: row, presses: presses ?? entries.map(\.identity.number),
          acknowledgedBy: acknowledgedBy)
      ]
    }
    see(.stored(host: host, batch))
  }

  mutating func ack(_ event: Event, host: Int = 0) {
    see(
      .acked(
        host: host, event.identity.number, keychain: 0, identityCRC: event.identity.crc))
  }

  mutating func move(_ name: UInt64, _ from: Workflow, _ to: Workflow, host: Int = 0) {
    see(.moved(host: host, incident: name, from: from, to: to))
  }

  mutating func say(_ state: ShownState, of name: UInt64 = 0, host: Int = 0) {
    see(.indicated(host: host, incident: name, state, sounder: false))
  }

  mutating func show(_ state: ShownState, keychain: Int = 0) {
    see(.light(keychain: keychain, state, sounder: false))
  }

  /// Its incident is open, sent and told, from the finger to the light.
  @discardableResult
  mutating func emergency(_ event: Event, host: Int = 0) -> UInt64 {
    press(event)
    see(.heard(host: host, event))
    let name = event.name
    move(name, .noEmergency, .emergencySending, host: host)
    store([event], in: name, row: .emergencySending, host: host)
    ack(event, host: host)
    tell(.raise, 1, of: name, host: host)
    move(name, .emergencySending, .emergencySent, host: host)
    store(in: name, row: .emergencySent, presses: [event.identity.number], host: host)
    say(.accepted, of: name, host: host)
    show(.accepted)
    return name
  }

  /// By the PIN, and everybody hears of it.
  mutating func disarm(_ event: Event, request: UInt64 = 1, closes: Bool = true) {
    let name = event.name
    see(.asked(host: 0, request: request, .disarm))
    move(name, .emergencySent, .emergencyEnded)
    store(in: name, row: .emergencyEnded, presses: [event.identity.number])
    see(
      .answered(
        host: 0, request: request, .emergencyEnded, isRefused: false, isDurable: true))
    if closes { tell(.closing, 90, of: name) }
  }

  // MARK: The account

  /// What was asked for is done.
  mutating func change(_ userRequest: UserRequest, to account: AccountState, request: UInt64 = 70) {
    see(.asked(host: 0, request: request, userRequest))
    see(.account(host: 0, account))
  }

  mutating func store(_ account: AccountState) {
    var batch = Batch()
    batch.account = account
    see(.stored(host: 0, batch))
  }

  /// An unclaimed incident, from the finger to the disk.
  mutating func stranger(_ event: Event, keychain: Int = 0) {
    press(event, keychain: keychain)
    see(.heard(host: 0, event))
    move(event.name, .noEmergency, .emergencySending)
    move(event.name, .emergencySending, .emergencySendingFailed)
    store([event], in: event.name, row: .emergencySendingFailed)
    say(.failed, of: event.name)
    show(.failed, keychain: keychain)
  }

  // MARK: People

  mutating func handOut(_ message: Message, host: Int = 0) {
    see(.handedOut(host: host, message))
  }

  /// To both contacts.
  mutating func tell(
    _ kind: Message.Kind, _ sequence: Int, of name: UInt64, aliases: [UInt64] = [], host: Int = 0
  ) {
    for contact in 0..<judge.rules.contacts {
      let message = Message(kind, sequence, of: name, to: contact, aliases: aliases)
      handOut(message, host: host)
      see(.told(host: host, message))
    }
  }
}

extension Message {
  init(
    _ kind: Kind, _ sequence: Int, of name: UInt64, to contact: Int = 0, aliases: [UInt64] = []
  ) {
    self.init(
      contact: contact, incident: name, aliases: aliases, kind: kind, sequence: sequence,
      key: "\(name)/\(contact)/\(kind.rawValue)/\(sequence)")
  }
}

extension Event {
  /// - Parameter clock: µs; a second for each number, if nothing else is said.
  static func press(
    _ n: UInt32, of serial: UInt32 = 1, boot: UInt32 = 1, clock: UInt64? = nil
  ) -> Event {
    Event(
      EventRecord(
        EventIdentity(
          deviceID: .bench(serial), number: EventNumber(boot: boot, n: n), kind: .pressed,
          clock: clock ?? UInt64(n) * 1_000_000, bootNonce: boot)))
  }

  /// As INDICATE names the incident that it opens.
  var name: UInt64 { UInt64(identity.crc) << 32 | UInt64(identity.number.n) }

  func merged(from first: UInt32) -> Event {
    var merged = self
    merged.flags.insert(.merged)
    merged.firstCovered = EventNumber(boot: identity.number.boot, n: first)
    merged.covered = 2
    return merged
  }
}
