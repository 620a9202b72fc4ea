public import AlertCore
import FobBase

import struct Foundation.Date
import class Foundation.DateFormatter
import struct Foundation.Locale
import struct Foundation.TimeZone

/// The text that contacts read (R39, G19): who, that the alarm was activated, the last known place,
/// latitude and longitude with seven decimals, local time with its zone, and a link that opens a
/// map.
public struct AlertText: Sendable {
  private let account: Account

  /// The account gives the owner's name, zone and places.
  public init(account: Account) { self.account = account }

  /// Loads the time zone tables, so that the first alarm does not wait for them.
  public func prepare() {
    _ = time(0, Timestamp(boot: 0, instant: Instant(microseconds: 0), wall: 0))
  }

  /// The whole text in English, without the link to acknowledge; `now` decides whether a time needs
  /// its date.
  public func text(of notification: Notification, now: Timestamp) -> String {
    let keychain = "\(account.possessive) SafeTime keychain alarm"
    switch notification.kind {
    case .raise:
      return "ALERT! \(account.name) has activated \(keychain) and may be in an emergency"
        + " situation. \(circumstances(notification, now))"
    case .update:
      return "ALERT! \(account.name) has pressed \(keychain) again."
        + " \(circumstances(notification, now)) (message \(notification.sequence))"
    case .again:
      return "ALERT! The alarm of \(account.name) is still active and nobody has acknowledged it."
        + " \(circumstances(notification, now)) (message \(notification.sequence))"
    case .closing:
      return closing(notification, now)
    }
  }

  private func closing(_ notification: Notification, _ now: Timestamp) -> String {
    let time = time(notification.decidedAt.wall, now)
    switch notification.endReason {
    case .disarmed:
      return "ALL CLEAR. \(account.name) has switched off \(account.possessive) SafeTime keychain"
        + " alarm with the PIN at \(time)."
    case .cancelled:
      return "ALL CLEAR. \(account.name) has cancelled \(account.possessive) SafeTime keychain"
        + " alarm at \(time)."
    case .gaveWay:
      return "The bench alarm of \(account.name) has ended at \(time): a real alarm has taken its"
        + " place. Nobody has switched it off."
    case .trackingOver, nil:
      return "The alarm of \(account.name) has ended at \(time), after 30 minutes of tracking."
        + " Nobody has switched it off: please make sure that all is well."
    }
  }

  /// A sentence about presses of unknown age, which the keychain could not send when they were
  /// made.
  private func outOfReach(_ notification: Notification) -> String {
    guard let count = notification.outOfReach else { return "" }
    return "\(count) \(count == 1 ? "press" : "presses") made out of reach, age unknown. "
  }

  private func circumstances(_ notification: Notification, _ now: Timestamp) -> String {
    outOfReach(notification) + place(notification, now)
  }

  private func place(_ notification: Notification, _ now: Timestamp) -> String {
    guard let position = notification.position else {
      return "The location is not known. Pressed at \(time(notification.decidedAt.wall, now))."
    }
    let coordinates = "\(Self.degrees(position.latitude)), \(Self.degrees(position.longitude))"
    let near = nearest(to: position).map { "near \($0.name). " } ?? ""
    let time = time(position.wall, now)
    return "Last known location was \(near)\(coordinates) at \(time)."
      + " Map: \(Self.map(of: position))"
  }

  /// A link that opens a map (RFC 5870).
  static func map(of position: Position) -> String {
    "geo:\(degrees(position.latitude)),\(degrees(position.longitude))"
  }

  /// The nearest of the account's places within about a kilometre: a place farther away would
  /// mislead.
  private func nearest(to position: Position) -> Place? {
    func distance(_ place: Place) -> Double {
      let north = Double(place.latitude) - Double(position.latitude)
      let east = Double(place.longitude) - Double(position.longitude)
      return north * north + east * east
    }
    let reach = 100_000.0
    return account.places.filter { distance($0) <= reach * reach }
      .min { distance($0) < distance($1) }
  }

  /// Seven decimals, computed without a Double.
  static func degrees(_ value: Int32) -> String {
    let size = UInt32(value.magnitude)
    let fraction = String(size % 10_000_000)
    return (value < 0 ? "-" : "") + "\(size / 10_000_000)."
      + String(repeating: "0", count: 7 - fraction.count) + fraction
  }

  /// As in "11:47pm EST", in the account's zone; with the date if it is 12 hours or more from now.
  private func time(_ wall: Int64, _ now: Timestamp) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: account.zone) ?? TimeZone(identifier: "UTC")
    formatter.amSymbol = "am"
    formatter.pmSymbol = "pm"
    let isRecent = (now.wall &- wall).magnitude < 12 * 3_600_000_000
    formatter.dateFormat = isRecent ? "h:mma zzz" : "MMM d, h:mma zzz"
    return formatter.string(from: Date(timeIntervalSince1970: Double(wall) / 1_000_000))
  }
}
