package import Emulator
package import FobBase

/// A device under test with its line, and whatever moves its button. The same cases run on each
/// rig: in virtual time in this process, or in real time on whatever has a line.
package protocol Rig: AnyObject {
  /// As on the command line.
  var name: String { get }
  /// Time passes only while somebody waits, and a case may take as long as it likes.
  var isVirtual: Bool { get }
  /// By how much a stamp of this rig may be late, though the device was not.
  var slack: Interval { get }
  /// By how much the device's clock may stand still: that of a machine in QEMU does, where the host
  /// is busy.
  var clockSlack: Interval { get }
  /// On one clock with the stamps of what is received.
  var now: Instant { get }
  /// Microseconds since 1970 at zero of that clock, for captures.
  var wallOffset: Int64 { get }

  /// Nil where the device can be made to do it, else why not.
  func obstacle(to ability: Ability) -> String?

  /// A case begins. A rig that has its device to itself begins with a new one.
  func begin(seed: UInt64)
  func send(_ bytes: [UInt8]) throws
  /// The next bytes, waited for until `deadline`: the one way in which time passes.
  func receive(until deadline: Instant) throws -> Arrival?
  /// Done, or under way, when it returns; never waits for the device.
  func perform(_ actuation: Actuation) throws

  /// From now on the light is looked at.
  func watchLight() throws
  /// Its edges since then; the watch is over.
  func takeLight() throws -> [LightEdge]
}

/// Bytes of the device, and when they came.
package struct Arrival: Hashable, Sendable {
  package var bytes: [UInt8]
  package var at: Instant

  package init(bytes: [UInt8], at: Instant) {
    self.bytes = bytes
    self.at = at
  }
}

/// Why a rig cannot go on, and a hint.
package struct RigFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// What a device can be made to do, beside hearing bytes. A case names what it needs; where the rig
/// lacks it the case is not tested, and says why.
package enum Ability: String, Hashable, Sendable, CaseIterable {
  /// Closes and opens the contact of the button.
  case button
  /// Contacts of a few milliseconds, exact to one or two.
  case brief
  /// Many contacts one after another, exact to the microsecond: bounce.
  case edges
  /// A tired spring: a held contact opens for moments.
  case chatter
  /// The reset pin.
  case reset
  case powerCut
  /// The supply falls too low for a while.
  case brownOut
  /// The charge of the battery.
  case battery
  /// The gauge reads exactly the per cent that was asked for, whatever is switched on.
  case gauge
  /// Bytes of the GPS receiver.
  case gps
  /// A store that fails, and works again.
  case store
  /// A clock that jumps.
  case clock
  /// Sees the light itself, not only what LED_STATE says of it.
  case light
}
