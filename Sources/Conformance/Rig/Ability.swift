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
