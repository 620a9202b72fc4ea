/// The values that have names, by their number; a test holds them against `messages.json`.
enum NamedValues {
  static let resetCauses = [
    "unknown", "power-on", "reset pin", "watchdog", "brown-out", "software",
  ]

  static let eventKinds: [String?] = [
    nil, "pressed", "released", "booted", "battery low", "battery critical", "battery recovered",
    "fault",
  ]

  static let faults: [String?] = [
    nil, "store failed", "ring full, presses merged", "button stuck at power-on",
    "event number met with another identity", "boot counter lost",
  ]

  static let shownStates = [
    "unclaimed", "idle", "countdown", "sending", "accepted", "acknowledged", "failed", "ended",
    "due", "breathing", "identify", "low battery", "off",
  ]

  static let fixQualities = ["none", "weak", "good"]

  static let rejectReasons: [String?] = [
    nil, "unknown type", "version", "too short", "reserved bits", "bad value", "not now",
  ]

  static let configKeys: [String?] = [nil, "debounce in ms", "NMEA_RAW", "least LOG level"]

  static let traceCodes: [String?] = [
    nil, "edge closed", "edge open", "event committed", "event frame written", "event acked",
    "state shown", "booted", "store failed", "rx damaged",
  ]
}
