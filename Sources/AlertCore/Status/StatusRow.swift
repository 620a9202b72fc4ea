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

  /// Which of the four rows it is.
  public let kind: Kind
  /// The row's level.
  public let level: Level
  /// In English, as shown.
  public let text: String
  /// The cause, or what a person can do; nil: nothing.
  public let advice: String?
  /// Age of the reading behind it, in seconds; nil where there is none.
  public let age: Int64?
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
  }

  /// What the keychain says of its position (R32).
  public enum GPS: Equatable, Sendable {
    case good, weak
    /// It reports that it has no position.
    case noFix
    /// It reports nothing.
    case silent
  }

  /// The other rows depend on it: without a link they are unknown.
  public var link: Link
  /// Per cent; nil: not known.
  public var battery: UInt8?
  /// With hysteresis: low from 20 % down, until it is above 22 % (G6).
  public var isBatteryLow: Bool
  /// Why the store does not work; nil: it works.
  public var serviceTrouble: String?
  /// The damage of the records; nil: none.
  public var damage: String?
  /// `.silent` also where the keychain was never linked in this run.
  public var gps: GPS
  /// Since the keychain last sent a position; nil: never in this run.
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

  private func line(
    _ kind: StatusRow.Kind, _ level: StatusRow.Level, _ text: String, _ advice: String? = nil,
    _ age: Interval? = nil
  ) -> StatusRow {
    StatusRow(
      kind: kind, level: level, text: text, advice: advice,
      age: age.map { $0.microseconds / 1_000_000 })
  }

  /// R29. The text says USB, since the link is a USB serial line here.
  private var linkLine: StatusRow {
    switch link {
    case .up: line(.link, .good, "USB connected", nil, linkAge)
    case .down: line(.link, .error, "USB not connected", "Cannot find SafeTime device", linkAge)
    case .closed(let reason): line(.link, .error, "USB not connected", reason, linkAge)
    case .notUnderstood(let reason):
      line(.link, .error, "USB connected, but not understood", reason, linkAge)
    }
  }

  /// R30: green above 20 %.
  private var batteryLine: StatusRow {
    guard link == .up else {
      return line(.battery, .warning, "Battery life unknown", "No SafeTime device connected")
    }
    guard let battery else {
      return line(.battery, .warning, "Battery life unknown", nil, batteryAge)
    }
    let text = "Battery at \(battery)%"
    if battery == 0 {
      return line(.battery, .error, text, "Charge your SafeTime device now", batteryAge)
    }
    if battery <= 20 || isBatteryLow {
      return line(.battery, .warning, text, "Charge your SafeTime device soon", batteryAge)
    }
    return line(.battery, .good, text, nil, batteryAge)
  }

  /// R31.
  private var serviceLine: StatusRow {
    if let serviceTrouble {
      return line(.service, .error, "Not connected to SafeTime", serviceTrouble)
    }
    if let damage { return line(.service, .error, "Connected, but records were damaged", damage) }
    return line(.service, .good, "Connected to SafeTime")
  }

  /// R32.
  private var gpsLine: StatusRow {
    guard link == .up else {
      return line(.gps, .error, "GPS unknown", "No SafeTime device connected")
    }
    let last = sinceLocated.map { "Last location recorded \(Age.words($0)) ago" }
    switch gps {
    case .good: return line(.gps, .good, "GPS Signal Good", nil, gpsAge)
    case .weak: return line(.gps, .warning, "GPS Signal Weak", last, gpsAge)
    case .noFix:
      guard let last else {
        return line(
          .gps, .error, "GPS has no position", "Take the device where it sees the sky", gpsAge)
      }
      return line(.gps, .warning, "GPS Signal Weak", last, gpsAge)
    case .silent:
      return line(
        .gps, .error, "GPS disabled", "Switch GPS on in the settings of the SafeTime device",
        gpsAge)
    }
  }
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
