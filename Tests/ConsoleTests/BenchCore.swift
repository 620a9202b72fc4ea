import Bridge
import Console
import FobBase
import Storage
import Synchronization
import WireProtocol

@testable import AlertCore

/// A core that says what a test tells it to, and notes what it is asked.
final class BenchCore: Core {
  struct Asked: Equatable {
    let userCommand: UserCommand
    let who: String
  }

  struct State {
    var refusal: UserCommand.Refusal?
    /// How a pairing ends.
    var pairing: PairingRefusal?
    /// By which keychains were to be paired.
    var labels: [LabelCode] = []
    var isDurable = true
    /// Nil: it never answers.
    var answers = true
    var account = BenchCore.owner
    var incident: Incident?
    var storageFailure: String?
    var serverTrouble: String?
    /// Whether its one keychain has a battery, then at 87 %.
    var hasBattery = true
    var asked: [Asked] = []
    var pins: [String] = []
    var checkIns = CheckIns()
    var messages = QuickMessages()
    var completeSlots = PanicSlots.none
    var exercises = Exercises()
    var reviews = Reviews()
    var affirmations = Affirmations()
    var reminderSettings = ReminderSettings()
    /// How many blanks there are in the document of an incident.
    var padding = 0
    /// Runs first in each command, on the thread that brings it.
    var before: (@Sendable () -> Void)?
    /// The id that a new series or review gets.
    var series: Int?
  }

  static let device = DeviceID.bench(7)

  static var owner: Account {
    var account = Account(
      name: "Owner", email: "owner@example.org", mobile: "+15555550100", country: "US",
      contacts: [
        Contact(id: "contact-1", name: "Contact 1", numbers: ["+15555550101"]),
        Contact(id: "contact-2", name: "Contact 2", numbers: ["+15555550102"]),
      ], devices: [device.text])
    account.pinHash = "$6$rounds=20000$salt$hash"
    return account
  }

  let state = Mutex(State())
  let trail = BenchTrail()
  /// In place of the trail.
  private let real: (store: AlertStore, feed: EventFeed)?

  init() { real = nil }

  init(store: AlertStore, feed: EventFeed) { real = (store, feed) }

  var account: Account { state.withLock { $0.account } }
  var checkIns: CheckIns { state.withLock { $0.checkIns } }
  var messages: QuickMessages { state.withLock { $0.messages } }
  var completeSlots: PanicSlots { state.withLock { $0.completeSlots } }
  var reviews: Reviews { state.withLock { $0.reviews } }
  var totals: BreathingTotals { state.withLock { $0.exercises.totals } }
  var exercises: ExerciseStatus {
    var core = AlertCore(account: Self.owner, at: Self.now)
    core.exercises = state.withLock { $0.exercises }
    return core.exerciseStatus(at: Self.now + .seconds(3))
  }
  var affirmations: Affirmations { state.withLock { $0.affirmations } }
  var reminderSettings: ReminderSettings { state.withLock { $0.reminderSettings } }
  var wall: Int64 { Self.now.wall }
  var serverTrouble: String? { state.withLock { $0.serverTrouble } }
  var asked: [Asked] { state.withLock { $0.asked } }

  func set(_ edit: @Sendable (inout sending State) -> Void) { state.withLock { edit(&$0) } }

  static func incident(_ state: EmergencyState) -> Incident {
    let identity = EventIdentity(
      deviceID: device, number: EventNumber(boot: 1, n: 1), kind: .pressed,
      clock: 1, bootNonce: 2)
    let sending = Stage.Sending(since: now)
    let phase: Phase =
      switch state {
      case .alertCountdown: .open(.countdown(ends: now))
      case .emergencySending: .open(.sending(sending))
      case .emergencySendingFailed: .open(.failed(sending))
      case .emergencySent: .open(.sent(sending, at: now))
      case .emergencyEnded, .noEmergency:
        .ended(End(stage: .sending(sending), isLeft: state == .noEmergency))
      }
    return Incident(IncidentID(identity), of: device, phase, at: now)
  }

  static let now = Timestamp(
    boot: 1, instant: Instant(microseconds: 1_000_000), wall: 1_700_000_000)

  var status: CoreStatus {
    let state = state.withLock { $0 }
    let line = StatusRow(
      kind: .link, code: .linkUp, level: .good, text: "USB connected", advice: nil, age: 1,
      percent: nil, detail: nil, locatedAge: nil)
    let none = StatusRow(
      kind: .battery, code: .batteryNone, level: .good, text: "No battery: powered by USB",
      advice: nil, age: 1, percent: nil, detail: nil, locatedAge: nil)
    return CoreStatus(
      state: state.incident?.state ?? .noEmergency, incident: state.incident, nextMessage: nil,
      contacts: state.account.contacts.count, unreachable: [], warnings: [],
      storageFailure: state.storageFailure,
      account: CoreStatus.AccountStatus(
        exists: true, isSetUp: true, isLoggedIn: true, hasPIN: true, isEmailConfirmed: true,
        isProtecting: true, missingForProtection: [], country: "US", language: "en",
        zone: "America/New_York", emergencyNumber: "911", isEmergencyNumberKnown: true),
      concerns: [], overall: .good, summary: "All good!", checked: nil, checkedAt: nil,
      lines: [line],
      devices: [
        CoreStatus.Device(
          device: Self.device.text, isOwned: true, isBench: true, isLinked: true,
          isRemote: false, isPaired: false, isProved: nil, heardAt: Self.now, firmware: nil,
          overall: .good, lines: state.hasBattery ? [line] : [line, none])
      ],
      links: [
        CoreStatus.Link(
          device: Self.device.text, batteryPercent: state.hasBattery ? 87 : nil, heardAt: Self.now)
      ],
      checkIns: CheckInStatus(
        series: 0, inTime: 0, overdue: 0, next: nil, calledAt: nil, raisesNothing: false),
      profile: "literal", now: Self.now)
  }

  func refreshedStatus() async -> CoreStatus { status }
  func pinWait(for source: PINSource) -> Interval? { .seconds(7) }

  func perform(
    _ userCommand: UserCommand, by who: String, answer: @escaping @Sendable (Answer) -> Void
  ) {
    state.withLock { $0.before }?()
    let made: Answer? = state.withLock { state in
      state.asked.append(Asked(userCommand: userCommand, who: who))
      guard state.answers else { return nil }
      return Answer(
        state: state.incident?.state ?? .noEmergency, refusal: state.refusal,
        isDurable: state.isDurable, made: state.series)
    }
    if let made { answer(made) }
  }

  func disarm(
    pin: String, by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void
  ) {
    state.withLock { $0.pins.append(pin) }
    if pin == "2468" {
      perform(.disarm, by: who, answer: answer)
    } else {
      answer(Answer(state: status.state, refusal: .wrongPIN, isDurable: true))
    }
  }

  func change(
    _ change: AccountChange, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    let added: [ContactDraft] =
      switch change {
      case .addContact(let draft): [draft]
      case .importContacts(let drafts): drafts
      default: []
      }
    for draft in added {
      state.withLock {
        let id = "contact-\($0.account.contacts.count + 1)"
        $0.account.contacts.append(
          Contact(id: id, name: draft.name, numbers: draft.numbers.map(\.number)))
      }
    }
    perform(.change(change, isProven: pin == "2468"), pin, by: who, answer)
  }

  private func perform(
    _ command: UserCommand, _ pin: String?, by who: String,
    _ answer: @escaping @Sendable (Answer) -> Void
  ) {
    if let pin, pin != "2468" {
      return answer(Answer(state: status.state, refusal: .wrongPIN, isDurable: true))
    }
    perform(command, by: who, answer: answer)
  }

  func checkIn(
    _ command: CheckInCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    perform(.checkIn(command, isProven: pin == "2468"), pin, by: who, answer)
  }

  func message(
    _ command: MessageCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    perform(.message(command, isProven: pin == "2468"), pin, by: who, answer)
  }

  func review(
    _ command: ReviewCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    perform(.review(command, isProven: pin == "2468"), pin, by: who, answer)
  }

  func prove(
    pin: String?, by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void
  ) {
    answer(Answer(state: status.state, refusal: refusal(of: pin), isDurable: true))
  }

  private func refusal(of pin: String?) -> UserCommand.Refusal? {
    pin == "2468" ? nil : pin == nil ? .pinNeeded : .wrongPIN
  }

  func pair(
    _ device: DeviceID, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    pairing(pin, answer)
  }

  func pair(
    _ device: DeviceID, by label: LabelCode, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    set { $0.labels.append(label) }
    pairing(pin, answer)
  }

  func unpair(
    _ device: DeviceID, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    pairing(pin, answer)
  }

  private func pairing(_ pin: String?, _ answer: (PairingRefusal?) -> Void) {
    let (pairing, answers) = state.withLock { ($0.pairing, $0.answers) }
    if answers { answer(refusal(of: pin).map { .refused($0) } ?? pairing) }
  }

  func forgotPIN(by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void) {
    perform(.change(.offerPIN(hash: ""), isProven: false), by: who, answer: answer)
  }

  func files() throws -> [StoredFile] {
    [StoredFile(name: "fob.sqlite", bytes: 4_096, changedAt: 1_700_000_000)]
  }

  func lastLogID() throws -> Int64 { try real?.store.lastLogID() ?? trail.last }

  func log(_ search: LogSearch) throws -> [LogEntry] {
    if let real { return try real.store.log(search) }
    return Array(trail.lines(after: search.after, search.filter).prefix(search.limit))
  }

  func incidents(limit: Int, before: IncidentID?) throws -> [Incident] {
    before == nil ? [Self.incident(.emergencyEnded)] : []
  }

  func incident(_ id: IncidentID) throws -> Incident? {
    try incidents(limit: 1, before: nil).first { $0.id == id }
  }

  func document(of incident: IncidentID) throws -> [UInt8]? {
    guard incident == Self.incident(.emergencyEnded).id else { return nil }
    let blanks = [UInt8](repeating: 0x20, count: state.withLock { $0.padding })
    return Array(#"{"incident":{}}"#.utf8) + blanks
  }

  func alert(of incident: IncidentID) throws -> [UInt8]? {
    incident == Self.incident(.emergencyEnded).id ? Array("<alert/>".utf8) : nil
  }

  func lines(after: Int64, matching filter: LogFilter) -> any LineReader {
    if let real { return real.feed.reader(after: after, matching: filter) }
    return BenchTrail.Reader(trail, after: after, filter)
  }
}
