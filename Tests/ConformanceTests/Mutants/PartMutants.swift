import FobBase

@testable import Conformance
@testable import Firmware
@testable import WireProtocol

/// HELLO says a capability that the device does not keep to: it tells its level, and a fix.
final class Claims: WireMutant {
  private let bit: UInt32

  init(_ bit: UInt32) { self.bit = bit }

  override func deviceSays(_ body: [UInt8], at now: Instant) -> [[UInt8]] {
    let said = body.changing(Hello.self) { $0.capabilities |= bit }
    guard body.isA(.heartbeat) else { return [said] }
    return [said, FrameBody(PositionFix(), sequence: 0).withBytes { Array($0) }]
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
