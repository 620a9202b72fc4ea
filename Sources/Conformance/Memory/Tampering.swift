package import Firmware
package import FobBase

/// Stands between the production firmware and its board, and between its line and the host. The
/// honest one changes nothing; tests make firmware that is wrong on purpose.
package protocol Tampering: AnyObject {
  /// Before the firmware looks at its board for the first time.
  func boots(_ board: inout VirtualBoard)
  func booted(_ firmware: inout Keychain, _ board: inout VirtualBoard)
  func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard)
  /// What arrives in place of a frame or noise of the host, delimiters included.
  func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8]
  /// What arrives in place of a whole frame of the device.
  func toHost(_ run: [UInt8], at now: Instant) -> [UInt8]
  /// What the GPS receiver is heard to say.
  func heardGPS(_ bytes: [UInt8]) -> [UInt8]
}

extension Tampering {
  package func boots(_ board: inout VirtualBoard) {}
  package func booted(_ firmware: inout Keychain, _ board: inout VirtualBoard) {}
  package func polled(_ firmware: inout Keychain, _ board: inout VirtualBoard) {}
  package func toDevice(_ run: [UInt8], at now: Instant) -> [UInt8] { run }
  package func toHost(_ run: [UInt8], at now: Instant) -> [UInt8] { run }
  package func heardGPS(_ bytes: [UInt8]) -> [UInt8] { bytes }
}
