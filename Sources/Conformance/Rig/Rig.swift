package import Emulator
package import FobBase

/// A device under test with its line, and with whatever moves its button. The same cases run on
/// each rig: in virtual time in this process, or in real time on any line.
package protocol Rig: AnyObject {
  /// The device as named on the command line of `fob conform`.
  var name: String { get }
  /// True where time passes only in `receive`, so that a long case costs no real time.
  var isVirtual: Bool { get }
  /// By how much a stamp of this rig may be late, though the device was not.
  var slack: Interval { get }
  /// By how much the device's clock may stand still, as that of a machine in QEMU does where its
  /// host is busy.
  var clockSlack: Interval { get }
  /// The present time, on the clock of ``Arrival/at``.
  var now: Instant { get }
  /// Microseconds between 1970 and zero of that clock, for captures.
  var wallOffset: Int64 { get }

  /// Nil where the device can be made to do it, else why not.
  func obstacle(to ability: Ability) -> String?

  /// A case begins. A rig that has its device to itself begins with a new one.
  func begin(seed: UInt64)
  /// Sends bytes as they are.
  func send(_ bytes: [UInt8]) throws
  /// The next bytes, waited for until `deadline`; nil where none came. Virtual time passes only
  /// here.
  func receive(until deadline: Instant) throws -> Arrival?
  /// Moves the device: done, or under way, when it returns. It never waits for the device's answer.
  func perform(_ actuation: Actuation) throws

  /// Begins to watch the light.
  func watchLight() throws
  /// Ends the watch, and gives the edges seen in it.
  func takeLight() throws -> [LightEdge]
}

/// Bytes of the device, and when they came.
package struct Arrival: Hashable, Sendable {
  /// As they were read: cut anywhere, not at frames.
  package var bytes: [UInt8]
  /// When they were read, on the rig's clock.
  package var at: Instant

  /// - Parameter at: on the rig's clock.
  package init(bytes: [UInt8], at: Instant) {
    self.bytes = bytes
    self.at = at
  }
}

/// Why a rig cannot go on, and a hint.
package struct RigFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason and the hint, for a person.
  package let description: String

  /// - Parameter description: the reason and the hint, for a person.
  package init(_ description: String) { self.description = description }
}

/// Something that a rig can make the device do, or see of it, beside the line. A case names what it
/// needs. Where the rig lacks it, the case is not tested, and says why.
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
  /// The light itself can be seen, not only what LED_STATE says of it.
  case light
}
