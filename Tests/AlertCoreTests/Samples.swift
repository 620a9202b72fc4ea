import AlertCore
import FobBase
import WireProtocol

let keychain = DeviceID(rawValue: 0x0B0B)
let otherKeychain = DeviceID(rawValue: 0x0C0C)
let line = LinkID(rawValue: 0)

extension Account {
  static func sample(contacts: Int = 2, pinned: Bool = true) -> Account {
    Account(
      name: "Owner",
      contacts: (0..<contacts).map {
        Contact(
          id: "contact-\($0 + 1)", name: "Contact \($0 + 1)",
          address: "contact\($0 + 1)@example.org")
      },
      pinHash: pinned ? "*" : nil)
  }
}

extension Policy {
  /// R41's countdown in front of a button press, as G1 allows a bench to set it.
  static var withCountdown: Policy {
    var policy = Policy()
    policy.buttonCountdown = .seconds(120)
    return policy
  }
}

extension EventRecord {
  static func press(
    _ n: UInt32, boot: UInt32 = 1, device: DeviceID = keychain, kind: EventKind = .pressed,
    clock: UInt64? = nil, nonce: UInt32? = nil
  ) -> EventRecord {
    EventRecord(
      EventIdentity(
        deviceID: device, number: EventNumber(boot: boot, n: n), kind: kind,
        clock: clock ?? UInt64(n) * 1_000_000, bootNonce: nonce ?? boot &* 0x9E37_79B9))
  }

  var incident: IncidentID { IncidentID(identity) }

  func located(_ latitude: Int32, age: UInt32) -> EventRecord {
    var record = self
    record.position.quality = .good
    record.position.latitude = latitude
    record.position.age = age
    return record
  }
}

extension PositionFix {
  static func good(_ latitude: Int32) -> PositionFix {
    var fix = PositionFix()
    fix.quality = .good
    fix.latitude = latitude
    return fix
  }
}

extension Hello {
  static func from(_ device: DeviceID) -> Hello {
    var hello = Hello(
      role: .device, session: 1, software: SoftwareVersion(major: 1, minor: 0, patch: 0))
    hello.deviceID = device
    return hello
  }
}

extension RandomNumberGenerator {
  mutating func interval(upTo latest: Interval) -> Interval {
    .microseconds(Int64.random(in: 0...latest.microseconds, using: &self))
  }

  mutating func storeBehaviour() -> FakeStore.Behaviour {
    switch UInt8.random(in: 0...5, using: &self) {
    case 0, 1: .commitsAtOnce
    case 2: .commits(after: interval(upTo: .milliseconds(300)))
    case 3: .failsAtOnce
    case 4: .fails(after: interval(upTo: .milliseconds(300)))
    default: .silent
    }
  }
}
