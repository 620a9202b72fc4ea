import AlertCore
import FobBase
import Judge
import WireProtocol

/// Conversions from the production types to those of the judge.
extension Rules {
  init(_ schedule: Schedule) {
    self.init()
    let setting = schedule.setting
    keychains = setting.keychains
    hosts = setting.hosts
    if setting.isShared { devices = (0..<keychains).map { DeviceID(keychain: $0) } }
    contacts = setting.places
    ways = setting.ways
    isGuarded = setting.policy.profile != .literal
    countdown = setting.policy.buttonCountdown
    triggerCountdown = setting.policy.triggerCountdown
    tracking = setting.policy.tracking
    messageEvery = setting.policy.messageEvery
    failAfter = setting.policy.failAfter
    lineDelay =
      schedule.acts.compactMap { act in
        guard case .delay(_, let delay, _) = act.action else { return nil }
        return delay
      }.max() ?? .zero
    bridged = setting.bridge?.keychains ?? []
    let isSlow = schedule.acts.contains { $0.action.fault == .feedSlow }
    feedDelay = isSlow ? .microseconds(FeedNetwork.slowest) : .milliseconds(100)
    hasCheckIns = setting.zone != nil
    hasExercises = setting.hasExercises
    if case .guarded(let slots) = setting.policy.profile { hasSlots = slots != .none }
    isAttacked = setting.isAttacked
    // Whoever holds frames back makes a light late by so much at most, and so does a slow line.
    if isAttacked { lineDelay = .milliseconds(3_010) }
    isKeychainClockSteady = !schedule.acts.contains { $0.action.fault == .clockJump }
  }
}

extension Workflow {
  init(_ state: EmergencyState) { self = Workflow(rawValue: state.rawValue)! }
}

extension RestoredState {
  init(_ status: CoreStatus) {
    guard let incident = status.incident else {
      self.init()
      return
    }
    self.init(incident: incident.id.wire, state: Workflow(status.state))
  }
}

extension Batch {
  init(_ changes: Changes) {
    self.init()
    entries = changes.events.map {
      Entry(
        event: Event($0.record), incident: $0.incident?.wire ?? 0, isOpen: $0.meaning == .open)
    }
    meanings = changes.meanings.map { ($0, $1.incident?.wire ?? 0) }
      .sorted { Self.order($0.identity) < Self.order($1.identity) }
    incidents = changes.incidents.values.map { incident in
      Incident(
        name: incident.id.wire, state: Workflow(incident.state),
        presses: incident.presses.map(\.number),
        acknowledgedBy: Set(incident.acknowledgedBy.map { Contact.place($0) }))
    }.sorted { $0.name < $1.name }
    account = changes.account.map { AccountState($0) }
    add(changes.checkIns)
    add(changes.quickMessages)
    add(changes.exercises)
    add(changes.reviews)
    affirmations = changes.affirmations.count
  }

  private static func order(
    _ identity: EventIdentity
  ) -> (device: UInt64, number: UInt64, clock: UInt64, nonce: UInt32) {
    (
      identity.deviceID.rawValue, identity.number.rawValue, identity.clock, identity.bootNonce
    )
  }
}

extension AccountState {
  init(_ account: Account) {
    self.init(
      keychains: account.devices.map { Set($0.compactMap { DeviceID(text: $0) }) },
      contacts: Set(account.contacts.map(\.place)), isLoggedIn: account.isActive,
      isProtecting: account.isProtecting, exists: account.exists)
  }
}

extension Contact {
  /// The contact at a place from 0; the account counts from 1.
  static func id(_ place: Int) -> ContactID { "contact-\(place + 1)" }

  var place: Int { Self.place(id) }

  fileprivate static func place(_ id: ContactID) -> Int {
    (Int(id.split(separator: "-").last ?? "") ?? 1) - 1
  }

  /// Nil where there is none.
  static func place(_ id: ContactID?) -> Int? { id.map { place($0) } }
}

extension Message {
  /// - Parameter way: which of the contact's notification channels has it, from 0.
  init(_ notification: Notification, way: Int) {
    self.init(
      contact: notification.contact.place, incident: notification.incident.wire,
      aliases: notification.aliases.map(\.wire), kind: Kind(rawValue: notification.kind.rawValue)!,
      sequence: notification.sequence, key: notification.key, way: way)
  }
}
