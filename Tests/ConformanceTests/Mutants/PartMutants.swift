import FobBase

@testable import Conformance
@testable import Firmware
@testable import WireProtocol

/// HELLO says a capability that the device does not keep to, and its receiver hears a fix.
final class Claims: WireMutant {
  private let bit: UInt32

  init(_ bit: UInt32) { self.bit = bit }

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    [body.changing(Hello.self) { $0.capabilities |= bit }]
  }

  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {
    if board.gps.isEmpty { board.gps = Sentences.fix() }
  }
}

/// A board that lacks parts, and says so.
final class Lacks: Tampering {
  private let battery: Bool
  private let gps: Bool

  init(battery: Bool = false, gps: Bool = false) {
    self.battery = battery
    self.gps = gps
  }

  func boots(_ board: inout VirtualBoard) {
    board.hasBattery = !battery
    board.hasGPS = !gps
  }

  func heardGPS(_ bytes: [UInt8]) -> [UInt8] { gps ? [] : bytes }
}
