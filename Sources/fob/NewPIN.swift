import Bridge
import SerialIO

/// A PIN that is to be set, and its hash, which takes some milliseconds by design: they pass on a
/// thread of its own while the rest of a start goes on.
final class NewPIN: Sendable {
  let pin: PIN
  /// Nobody has said it, so it is to be shown.
  let isMadeUp: Bool
  private let hashed: OneShot<String>

  static func madeUp() throws(IOFailure) -> NewPIN { try NewPIN(PIN.random(), isMadeUp: true) }

  init(_ pin: PIN, isMadeUp: Bool = false) throws(IOFailure) {
    self.pin = pin
    self.isMadeUp = isMadeUp
    let hashed = try OneShot<String>()
    self.hashed = hashed
    _ = try BlockingThread(name: "pin hash") { hashed.open(with: pin.hash()) }
  }

  /// Waits for it.
  func hash() throws(IOFailure) -> String { try hashed.pass() }
}
