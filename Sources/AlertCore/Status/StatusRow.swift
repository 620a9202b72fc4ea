public import FobBase

/// One status row: its level, the words that a person reads, and the age of the reading (R27, R29
/// to R33).
public struct StatusRow: Codable, Equatable, Sendable {
  /// What a row is about, in the order of the rows.
  public enum Kind: String, Codable, Sendable, CaseIterable { case link, battery, service, gps }
  /// How serious a row is (R24 to R26).
  public enum Level: String, Codable, Sendable, Comparable, CaseIterable {
    case good, warning, error

    /// Good before warning before error.
    public static func < (a: Level, b: Level) -> Bool {
      switch (a, b) {
      case (.good, .warning), (.good, .error), (.warning, .error): true
      default: false
      }
    }
  }

  /// What the row says, for programs and for other languages.
  public enum Code: String, Codable, Sendable, CaseIterable {
    case linkUp, linkDown, linkClosed, linkNotUnderstood
    /// It is paired, and what answers does not prove that it is that keychain.
    case linkUnproved
    case batteryGood, batteryLow, batteryEmpty, batteryUnknown
    /// The keychain has none: USB powers it.
    case batteryNone
    case serviceUp, serviceDown, serviceDamaged
    case gpsGood, gpsWeak
    /// It looks for satellites: it has no position yet, or has lost it.
    case gpsSearching
    /// The keychain reports nothing.
    case gpsOff
    /// The keychain has no receiver.
    case gpsNone
    case gpsUnknown
    /// The account does not allow that positions are used (R57).
    case gpsNotAllowed
  }

  /// Which of the four rows it is.
  public let kind: Kind
  /// What it says.
  public let code: Code
  /// The row's level.
  public let level: Level
  /// In English, as shown.
  public let text: String
  /// The cause, or what a person can do; nil: nothing.
  public let advice: String?
  /// Age of the reading behind it, in seconds; nil where there is none.
  public let age: Int64?
  /// Of `batteryGood`, `batteryLow` and `batteryEmpty`, 0 to 100; else nil.
  public let percent: UInt8?
  /// The cause in English, where it is known from outside of the core; else nil.
  public let detail: String?
  /// Seconds since the last position that the keychain sent; nil: none in this run, or another row.
  public let locatedAge: Int64?
}

/// The readings that the four rows are made from.
public struct StatusReadings: Equatable, Sendable {
  /// How the line to the keychain stands.
  public enum Link: Equatable, Sendable {
    case up
    case down
    /// The port is there and cannot be opened.
    case closed(String)
    /// The keychain speaks no protocol version that this host speaks.
    case notUnderstood(String)
    /// It is paired, and what answers does not prove that it is that keychain.
    case unproved
  }

  /// What the keychain says of its position (R32).
  public enum GPS: Equatable, Sendable {
    case good, weak
    /// It reports that it has no position.
    case searching
    /// It reports nothing.
    case silent
    /// It says that it has no receiver.
    case absent
    /// The account does not allow that positions are used (R57).
    case notAllowed
  }

  /// The other rows depend on it: without a link they are unknown.
  public var link: Link
  /// Per cent; nil: not known.
  public var battery: UInt8?
  /// With hysteresis: low from 20 % down, until it is above 22 % (G6).
  public var isBatteryLow: Bool
  /// The keychain says that it has no battery, and has told no level.
  public var hasNoBattery = false
  /// Why the store does not work; nil: it works.
  public var serviceTrouble: String?
  /// The damage of the records; nil: none.
  public var damage: String?
  /// `.silent` also where the keychain was never linked in this run.
  public var gps: GPS
  /// Since the last position that is known of the keychain, by GPS_FIX or by a press; nil: none.
  public var sinceLocated: Interval?
  /// Since its last HELLO, HEARTBEAT or POSITION; nil: none in this run.
  public var linkAge: Interval?
  /// Since its last heartbeat; nil: none in this run.
  public var batteryAge: Interval?
  /// Since its last POSITION; nil: none since it was linked.
  public var gpsAge: Interval?

  /// The ages and `damage` are nil until they are set.
  public init(
    link: Link, battery: UInt8?, isBatteryLow: Bool = false, serviceTrouble: String? = nil,
    gps: GPS, sinceLocated: Interval? = nil
  ) {
    self.link = link
    self.battery = battery
    self.isBatteryLow = isBatteryLow
    self.serviceTrouble = serviceTrouble
    self.gps = gps
    self.sinceLocated = sinceLocated
  }

  /// The four rows, in the order in which they are shown.
  public var lines: [StatusRow] { [linkLine, batteryLine, serviceLine, gpsLine] }

  /// The worst level: only four good rows are good (R24 to R26).
  public var overall: StatusRow.Level { lines.map(\.level).max() ?? .good }

  private func row(
    _ kind: StatusRow.Kind, _ level: StatusRow.Level, _ code: StatusRow.Code, _ text: String,
    _ advice: String? = nil, age: Interval? = nil, percent: UInt8? = nil, detail: String? = nil,
    locatedAge: Interval? = nil
  ) -> StatusRow {
    StatusRow(
      kind: kind, code: code, level: level, text: text, advice: advice, age: age?.seconds,
      percent: percent, detail: detail, locatedAge: locatedAge?.seconds)
  }

  /// R29: the words and the one advice of each obstacle. The text says USB, since the link is a USB
  /// serial line here.
  private var linkLine: StatusRow {
    switch link {
    case .up: row(.link, .good, .linkUp, "USB connected", age: linkAge)
    case .down:
      row(
        .link, .error, .linkDown, "USB not connected",
        "Cannot find SafeTime device. Make sure your device is on and the light is flashing",
        age: linkAge)
    case .closed(let reason):
      row(
        .link, .error, .linkClosed, "USB not connected", reason, age: linkAge, detail: reason)
    case .notUnderstood(let reason):
      row(
        .link, .error, .linkNotUnderstood, "USB connected, but not understood", reason,
        age: linkAge, detail: reason)
    case .unproved:
      row(
        .link, .error, .linkUnproved, "USB connected, but not proved to be your device",
        "Its presses raise the alarm, nothing else of it counts. Pair it anew", age: linkAge)
    }
  }

  /// R30: green above 20 %.
  private var batteryLine: StatusRow {
    guard link == .up else {
      return row(
        .battery, .warning, .batteryUnknown, "Battery life unknown", "No SafeTime device connected")
    }
    if battery == nil, hasNoBattery {
      return row(.battery, .good, .batteryNone, "No battery: powered by USB", age: batteryAge)
    }
    guard let battery else {
      return row(.battery, .warning, .batteryUnknown, "Battery life unknown", age: batteryAge)
    }
    let text = "Battery at \(battery)%"
    if battery == 0 {
      return row(
        .battery, .error, .batteryEmpty, text, "Charge your SafeTime device now", age: batteryAge,
        percent: battery)
    }
    if battery <= 20 || isBatteryLow {
      return row(
        .battery, .warning, .batteryLow, text, "Charge your SafeTime device soon", age: batteryAge,
        percent: battery)
    }
    return row(.battery, .good, .batteryGood, text, age: batteryAge, percent: battery)
  }

  /// R31.
  private var serviceLine: StatusRow {
    if let serviceTrouble {
      return row(
        .service, .error, .serviceDown, "Not connected to SafeTime", serviceTrouble,
        detail: serviceTrouble)
    }
    if let damage {
      return row(
        .service, .error, .serviceDamaged, "Connected, but records were damaged", damage,
        detail: damage)
    }
    return row(.service, .good, .serviceUp, "Connected to SafeTime")
  }

  /// R32: good, weak, searching and off are four states; a device without a receiver is a fifth.
  private var gpsLine: StatusRow {
    func row(
      _ level: StatusRow.Level, _ code: StatusRow.Code, _ text: String, _ advice: String? = nil
    ) -> StatusRow {
      self.row(
        .gps, level, code, text, advice, age: link == .up ? gpsAge : nil, locatedAge: sinceLocated)
    }
    if gps == .notAllowed {
      return row(
        .warning, .gpsNotAllowed, "Position not used",
        "Contacts are not told where you are. Allow it in the settings")
    }
    guard link == .up else {
      return row(.error, .gpsUnknown, "GPS unknown", "No SafeTime device connected")
    }
    let last = sinceLocated.map { "Last location recorded \(Age.words($0)) ago" }
    switch gps {
    case .good: return row(.good, .gpsGood, "GPS Signal Good")
    case .weak: return row(.warning, .gpsWeak, "GPS Signal Weak", last)
    case .searching:
      return row(
        last == nil ? .error : .warning, .gpsSearching, "GPS is searching",
        last ?? "Take the device where it sees the sky")
    case .absent:
      return row(
        .warning, .gpsNone, "No GPS receiver",
        last ?? "Contacts are not told where you are by this device")
    case .silent, .notAllowed:
      return row(
        .error, .gpsOff, "GPS disabled", "Switch GPS on in the settings of the SafeTime device")
    }
  }
}

extension Interval {
  fileprivate var seconds: Int64 { microseconds / 1_000_000 }
}

/// Ages in words (R27).
public enum Age {
  /// As in "3 minutes": one whole unit, rounded down; negative counts as "0 seconds".
  public static func words(_ interval: Interval) -> String {
    let seconds = max(0, interval.microseconds / 1_000_000)
    func count(_ number: Int64, _ unit: String) -> String {
      "\(number) \(unit)\(number == 1 ? "" : "s")"
    }
    switch seconds {
    case ..<60: return count(seconds, "second")
    case ..<3_600: return count(seconds / 60, "minute")
    case ..<86_400: return count(seconds / 3_600, "hour")
    default: return count(seconds / 86_400, "day")
    }
  }

  /// As in "checked 3 minutes ago".
  public static func checked(_ interval: Interval) -> String {
    interval < .seconds(1) ? "checked just now" : "checked \(words(interval)) ago"
  }
}
