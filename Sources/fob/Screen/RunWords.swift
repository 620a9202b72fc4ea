import AlertCore
import Bridge
import Emulator
import WireProtocol

/// How the alarm stands, in a few large words and some small ones behind them.
struct AlarmWords: Equatable {
  let large: String
  let small: String
  let tone: Timeline.Tone

  /// - Parameter alarm: nil: the core has not said.
  init(_ alarm: RunState.Emergency?) {
    (large, small, tone) =
      switch alarm?.state {
      case nil: ("UNKNOWN", "the core has not answered yet", .strong)
      case .noEmergency: ("NO ALARM", "", .good)
      case .alertCountdown:
        (
          alarm?.countdown.map { "ALARM IN \($0) s" } ?? "ALARM SOON",
          "nobody is told before; p and the PIN end it", .bad
        )
      case .emergencySending: ("ALARM, SENDING", "no receiver has answered yet", .bad)
      case .emergencySendingFailed: ("ALARM, NOT SENT", "nobody could be told; tried again", .bad)
      case .emergencySent where alarm?.acknowledgedBy.isEmpty == false:
        ("ALARM, ACKNOWLEDGED", "in hand: " + alarm!.acknowledgedBy.joined(separator: ", "), .bad)
      case .emergencySent: ("ALARM, SENT", "received, nobody has acknowledged", .bad)
      case .emergencyEnded where alarm?.hasMoved == true:
        ("ALARM HANDED OVER", "its keychain is another account's; r: resume", .strong)
      case .emergencyEnded: ("ALARM ENDED", "r: resume", .strong)
      }
  }
}

/// What the keychain does and has, in words.
struct KeychainWords {
  private let keychain: RunState.Keychain?
  private static let unknown = "unknown"

  /// - Parameter keychain: nil: it has not said.
  init(_ keychain: RunState.Keychain?) { self.keychain = keychain }

  var link: (text: String, tone: Timeline.Tone) {
    guard let keychain else { return (Self.unknown, .plain) }
    let waiting = keychain.unacked ?? 0
    let events = waiting == 0 ? "" : ", \(waiting) event\(waiting == 1 ? "" : "s") not acked"
    if !keychain.isPlugged { return ("the plug is pulled" + events, .bad) }
    if !keychain.isPowered { return ("down: the keychain has no power", .bad) }
    if keychain.isLinked { return ("up, keychain \(keychain.device)" + events, .good) }
    return (
      (keychain.hasHost ? "down: HELLO is not answered yet" : "down: no host has the line open")
        + events, .bad
    )
  }

  /// The state by its name, and its pattern.
  var light: String {
    guard let keychain else { return Self.unknown }
    guard keychain.isPowered else { return "dark: no power" }
    guard let shown = keychain.shown else { return Self.unknown }
    let detail = keychain.detail > 0 ? " \(keychain.detail)" : ""
    return "\(shown)\(detail): \(Self.meaning(shown))\(Self.pattern(shown, keychain.detail))"
      + (keychain.hasSounder ? "; sounder on" : "") + (keychain.isHeld ? "; button held" : "")
  }

  var battery: (text: String, tone: Timeline.Tone) {
    guard let keychain else { return (Self.unknown, .plain) }
    // R30 and G6: low from 20 % down.
    guard let battery = keychain.battery else { return ("none: powered by USB", .plain) }
    return battery > 20 ? ("\(battery) %", .plain) : ("\(battery) %, low", .bad)
  }

  var fix: String {
    guard let keychain, let fix = keychain.fix else { return Self.unknown }
    if keychain.receiver == "none" { return "no receiver" }
    guard fix != "none", let latitude = keychain.latitude, let longitude = keychain.longitude else {
      return "none yet"
    }
    return "\(fix), \(Self.degrees(latitude)), \(Self.degrees(longitude))"
  }

  private static func meaning(_ shown: ShownState) -> String {
    switch shown {
    case .accepted: "received, nobody has acknowledged; "
    case .acknowledged: "somebody has it in hand; "
    default: ""
    }
  }

  private static func pattern(_ shown: ShownState, _ detail: UInt8) -> String {
    let pattern = LightPattern(of: shown, detail: detail)
    guard pattern.repeats else { return pattern.steps.last?.on == true ? "steadily on" : "dark" }
    let flashes = pattern.steps.count(where: \.on)
    let period = Int64(pattern.steps.reduce(0) { $0 + $1.ms })
    return "\(flashes) flash\(flashes == 1 ? "" : "es") in \(StageTable.thousandths(period)) s"
  }

  /// 1e-7 degree with five places: a metre.
  private static func degrees(_ value: Int32) -> String {
    let hundredthousandths = (Int64(value.magnitude) + 50) / 100
    let fraction = String(hundredthousandths % 100_000)
    return (value < 0 ? "-" : "") + "\(hundredthousandths / 100_000)."
      + String(repeating: "0", count: 5 - fraction.count) + fraction
  }
}

/// How long the last press took until the light said so, as far as that is known.
enum PressWords {
  static func of(_ press: PressStages?) -> String {
    guard let press else { return "none since the start" }
    guard let edge = press.edge else {
      return "\(press.event): its time is unknown, no clock was fitted"
    }
    let open = " (\(StageTable.uncertainty(of: press)))"
    if let lit = press.lit {
      return "\(press.event): \(StageTable.milliseconds(lit - edge)) until the light said so"
        + open
    }
    if let acked = press.acked {
      return "\(press.event): \(StageTable.milliseconds(acked - edge)) until acked" + open
        + ", the light has not said so"
    }
    guard let decided = press.decided else { return "\(press.event): not decided yet" }
    return "\(press.event): decided after \(StageTable.milliseconds(decided - edge))" + open
  }
}
