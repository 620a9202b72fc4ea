import Emulator
import FobBase
import WireProtocol

/// A keychain as far as it presses, without firmware and line: it keeps each press until that is
/// acked.
struct PressingKeychain {
  let device: DeviceID
  /// That are not acked.
  private(set) var presses: [EventIdentity] = []
  private var last: UInt32 = 0
  private let bootNonce: UInt32

  /// - Parameter index: which one of its world it is.
  init(_ index: Int) {
    device = DeviceID(keychain: index)
    bootNonce = UInt32(index) + 1
  }

  var hello: Hello {
    var hello = Hello(
      role: .device, session: 1, software: SoftwareVersion(major: 1, minor: 0, patch: 0))
    hello.deviceID = device
    return hello
  }

  mutating func press(at now: Instant) -> EventIdentity {
    last += 1
    let identity = EventIdentity(
      deviceID: device, number: EventNumber(rawValue: 1 << 32 | UInt64(last)), kind: .pressed,
      clock: UInt64(now.microseconds), bootNonce: bootNonce)
    presses.append(identity)
    return identity
  }

  /// The presses that an ack is meant for.
  func presses(ackedBy ack: EventAck) -> [EventIdentity] {
    presses.filter { Self.isMeant($0, ack) }
  }

  mutating func take(_ ack: EventAck) { presses.removeAll { Self.isMeant($0, ack) } }

  private static func isMeant(_ press: EventIdentity, _ ack: EventAck) -> Bool {
    press.number == ack.number && press.crc == ack.identityCRC
  }
}
