import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// A core that starts from damaged records: loud, in doubt towards help.
struct RecordsDamageTests {
  private static let now = Timestamp(
    boot: 1, instant: Instant(microseconds: 1_000_000_000), wall: 1_750_000_000_000_000)

  private static func core(
    _ stored: StoredState, account: Account = .sample()
  ) -> AlertCore {
    AlertCore(account: account, recovering: stored, at: now)
  }

  private static func damaged(
    inDoubt: Bool = false, raising raised: [IncidentID] = []
  ) -> StoredState {
    var stored = StoredState()
    stored.damage = RecordsDamage(
      words: "the records were damaged", advice: "read the note", isAlarmInDoubt: inDoubt,
      raisedAgain: raised)
    return stored
  }

  @Test func `damage is an error of the status and a warning, until it was seen to`() {
    var core = Self.core(Self.damaged())
    var output = CoreOutput()
    let status = core.status(at: Self.now)
    let line = status.lines.first { $0.kind == .service }
    #expect(line?.level == .error)
    #expect(line?.text == "Connected, but records were damaged")
    #expect(line?.advice == "the records were damaged")
    #expect(status.overall == .error)
    #expect(status.warnings.first == "the records were damaged; read the note")
    core.step(.damage(nil), at: Self.now, into: &output)
    #expect(core.status(at: Self.now).lines.first { $0.kind == .service }?.level == .good)
  }

  @Test func `where an alarm may have been open the light says that nobody helps`() {
    var core = Self.core(Self.damaged(inDoubt: true))
    #expect(core.indication(at: Self.now).state == .failed)
    #expect(Self.core(Self.damaged()).indication(at: Self.now).state == .idle)
    var output = CoreOutput()
    core.step(.damage(nil), at: Self.now, into: &output)
    #expect(core.indication(at: Self.now).state == .idle)
  }

  @Test func `a press raises anew, and from then on the light says what is`() {
    var core = Self.core(Self.damaged(inDoubt: true))
    var output = CoreOutput()
    core.step(
      .event(LinkID(rawValue: 0), .press(1), happenedAt: nil), at: Self.now, into: &output)
    #expect(core.indication(at: Self.now).state == .sending)
    let later = Self.now + .seconds(1)
    core.step(.wake, at: later, into: &output)
    #expect(output.deliveries.count == Account.sample().contacts.count)
    core.step(.userCommand(RequestID(rawValue: 1), .disarm), at: later, into: &output)
    core.step(.userCommand(RequestID(rawValue: 2), .resume), at: later, into: &output)
    #expect(core.indication(at: later).state == .idle)
  }

  @Test func `an alarm that is open by what is left of it is told to everyone once more`() {
    let id = IncidentID(EventRecord.press(1).identity)
    var stored = Self.damaged(raising: [id])
    stored.current = Incident(
      salvaged: id, isOpen: true, openedWall: Self.now.wall - 60_000_000, messages: 3)
    var core = Self.core(stored)
    var output = CoreOutput()
    core.step(.wake, at: Self.now + .milliseconds(200), into: &output)
    let told = output.deliveries
    #expect(told.map(\.contact.id) == Account.sample().contacts.map(\.id))
    #expect(told.allSatisfy { $0.kind == .again && $0.sequence == 4 && $0.incident == id })
    #expect(core.indication(at: Self.now).state == .sending)
  }

  @Test func `an incident that is over and was made anew claims no moment that nobody knows`() {
    let id = IncidentID(EventRecord.press(1).identity)
    let over = Incident(
      salvaged: id, isOpen: false, openedWall: Self.now.wall - 60_000_000, messages: 3)
    #expect(over.state == .noEmergency && over.endReason == nil)
    let moments = [over.countdownEnds, over.trackingSince, over.sentAt, over.endedAt]
    #expect(moments == [nil, nil, nil, nil])
  }

  /// Every number of an incident and of a message that damage may have turned.
  @Test(arguments: 0..<200)
  func `no stored number makes the core trap`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func number() -> Int {
      [Int.max, .min, 0, -1, .max - 1, 1 << 53].randomElement(using: &random)!
    }
    func timestamp() -> Timestamp {
      Timestamp(
        boot: Bool.random(using: &random) ? 1 : 2, instant: Instant(microseconds: Int64(number())),
        wall: Int64(number()))
    }
    func incident(_ n: UInt32, isOver: Bool) -> Incident {
      let sending = Stage.Sending(countdownEnds: timestamp(), since: timestamp())
      let seen = [SeenEvent(device: .max, number: .max, bootNonce: .max)]
      let stages: [Stage] = [
        .countdown(ends: timestamp()), .sending(sending), .failed(sending),
        .sent(sending, at: timestamp()),
      ]
      let stage = stages.randomElement(using: &random)!
      var incident = Incident(
        IncidentID(EventRecord.press(n).identity), of: .bench(1), .open(stage), at: timestamp())
      if isOver {
        incident.phase = .ended(
          End(
            stage: stage, reason: .disarmed, at: timestamp(), seenAtDisarm: seen,
            isLeft: Bool.random(using: &random)))
      }
      incident.messages = number()
      incident.fixes = number()
      incident.furtherPresses = number()
      incident.lastPressAt = timestamp()
      incident.lastMessageAt = timestamp()
      incident.lastFixAt = timestamp()
      incident.lastPosition = Position(
        latitude: .max, longitude: .min, quality: .max, wall: Int64(number()))
      return incident
    }
    let current = incident(1, isOver: Bool.random(using: &random))
    let disarmed = incident(2, isOver: true)
    var message = Notification(
      .raise, to: Account.sample().contacts[0], of: current, sequence: number(), position: nil,
      at: timestamp())
    message.attempts = number()
    message.nextAttempt = timestamp()
    var stored = StoredState(
      current: current.state == .noEmergency ? nil : current, lastDisarmed: disarmed,
      notifications: [message],
      devices: [
        EventRecord.press(1).identity.deviceID: DeviceRecord(
          batteryPercent: .max, lowBatteryDay: Int64(number()), firstSeenWall: Int64(number()))
      ])
    stored.damage = Self.damaged(raising: [current.id]).damage
    var core = Self.core(stored)
    var now = Self.now
    var output = CoreOutput()
    core.step(.ways([:]), at: now, into: &output)
    for n in 3...40 as ClosedRange<UInt32> {
      now = now + .seconds(Int64.random(in: 0...600, using: &random))
      core.step(.wake, at: now, into: &output)
      core.step(.answered(key: message.key, error: "no"), at: now, into: &output)
      if n % 5 == 0 {
        core.step(
          .event(LinkID(rawValue: 0), .press(n), happenedAt: nil), at: now, into: &output)
      }
      if n % 17 == 0 {
        core.step(.userCommand(RequestID(rawValue: UInt64(n)), .disarm), at: now, into: &output)
      }
      _ = core.status(at: now)
      _ = core.nextWake(after: now)
    }
  }
}
