import AlertCore
import FobBase

/// The JSON shapes that several operations share, by name.
enum Components {
  static func schema(_ name: String) -> JSONSchema {
    guard let schema = all[name] else { preconditionFailure("no component \(name)") }
    return schema
  }

  static let state = JSONSchema.choice(EmergencyState.allCases.map(\.rawValue))

  static let all: [String: JSONSchema] = [
    "Problem": .open(
      .needed("type", .text), .needed("title", .text), .needed("status", .integer(400...599)),
      .needed("detail", .text(0...2_000)), .needed("code", .text),
      .optional("field", .text(0...500)),
      .optional("scope", .choice(Scope.allCases.map(\.rawValue))), .optional("state", state),
      .optional("missing", .array(.text, limit: 16)),
      .optional(
        "stored", .open(.needed("text", ReviewShapes.text), .needed("version", .count))),
      .optional("yours", ReviewShapes.text)),
    "Done": .open(
      .needed("state", state), .needed("durable", .boolean), .optional("warning", .text)),
    "Moment": .open(
      .needed("boot", .integer(Int64.min...Int64.max)),
      .needed("instant", .integer(Int64.min...Int64.max)),
      .needed("wall", .integer(Int64.min...Int64.max))),
    "Status": status,
    "StatusLine": statusLine,
    "Incident": incident,
    "Device": device,
    "Account": account,
    "Place": place,
    "Profile": profile,
    "Contact": .open(
      .needed("id", .text), .needed("name", .text), .needed("numbers", .array(number, limit: 8)),
      .optional("email", .text), .optional("language", .text),
      .optional("ways", .array(.text, limit: 16))),
    "ContactDraft": draft,
    "LogLine": logLine,
    "Facts": facts,
    "Exercises": ExerciseOperations.schema,
  ].merging(BenchShapes.all) { $1 }.merging(CheckInShapes.all) { $1 }
    .merging(MessageShapes.all) { $1 }
    .merging(ReviewShapes.all) { $1 }

  private static let timestamp = JSONSchema.reference("Moment")

  private static let level = JSONSchema.choice(StatusRow.Level.allCases.map(\.rawValue))
  private static let lines = JSONSchema.array(.reference("StatusLine"), limit: 8)

  private static let statusLine = JSONSchema.open(
    .needed("kind", .choice(StatusRow.Kind.allCases.map(\.rawValue))), .needed("level", level),
    .needed("code", .choice(StatusRow.Code.allCases.map(\.rawValue))), .needed("text", .text),
    .optional("advice", .text(0...2_000)), .optional("age", .count),
    .optional("percent", .integer(0...100)), .optional("detail", .text(0...2_000)),
    .optional("locatedAge", .count))

  private static let status = JSONSchema.open(
    .needed("state", state), .optional("incident", .reference("Incident")),
    .optional("nextMessage", timestamp), .needed("contacts", .count),
    .needed("unreachable", .array(.text, limit: Limits.contacts)),
    .needed("warnings", .array(.text(0...2_000), limit: 1_024)),
    .optional("storageFailure", .text(0...2_000)),
    .needed(
      "account",
      .open(
        .needed("exists", .boolean), .needed("isSetUp", .boolean), .needed("isLoggedIn", .boolean),
        .needed("hasPIN", .boolean), .needed("isEmailConfirmed", .boolean),
        .needed("isProtecting", .boolean),
        .needed("missingForProtection", .array(.text, limit: 16)), .needed("country", .text),
        .needed("language", .text), .needed("zone", .text),
        .needed("emergencyNumber", .text), .needed("isEmergencyNumberKnown", .boolean))),
    .needed(
      "concerns",
      .array(.choice(CoreStatus.Concern.allCases.map(\.rawValue)), limit: 32)),
    .needed("overall", level), .needed("summary", .text), .optional("checked", .text),
    .optional("checkedAt", timestamp), .needed("lines", lines),
    .needed("devices", .array(.reference("Device"), limit: Limits.devices)),
    .needed(
      "links",
      .array(
        .open(
          .needed("device", .device), .optional("batteryPercent", .integer(0...255)),
          .needed("heardAt", timestamp)),
        limit: Limits.devices)),
    .needed("checkIns", .reference("CheckInStatus")),
    .needed("profile", .choice(["literal", "guarded"])), .needed("now", timestamp))

  private static let incident = JSONSchema.open(
    .needed("id", .incident), .needed("state", state), .needed("openedAt", timestamp),
    .needed("isBench", .boolean), .needed("presses", .array(press, limit: 256)),
    .needed("sounder", .boolean), .needed("acknowledgedBy", .array(.text, limit: 64)),
    .needed("messages", .count), .optional("endedAt", timestamp),
    .optional("endReason", .choice(EndReason.allCases.map(\.rawValue))),
    .optional("outOfReach", .count), .needed("device", .device),
    .optional("trigger", .choice(Trigger.Source.allCases.map(\.rawValue))),
    .optional("isUnowned", .boolean), .optional("furtherPresses", .count),
    .optional("countdownEnds", timestamp), .optional("trackingSince", timestamp),
    .optional("sentAt", timestamp), .optional("lastPressAt", timestamp),
    .optional("lastMessageAt", timestamp),
    .optional(
      "messageTimes",
      .array(.open(.needed("sequence", .count), .needed("wall", CheckInShapes.moment)), limit: 16)),
    .optional("surveyOpened", .boolean),
    .optional("told", .array(.text, limit: 64)), .optional("fixes", .count),
    .optional("lastFixAt", timestamp),
    .optional(
      "survey",
      .open(
        .optional("fell", .boolean),
        .optional("outcome", .choice(Survey.Outcome.allCases.map(\.rawValue))))))

  private static let press = JSONSchema.open(
    .needed("event", .text), .needed("device", .device), .needed("receivedAt", timestamp),
    .needed("covers", .count), .optional("isAgeUnknown", .boolean),
    .optional("isSetAside", .boolean), .optional("isProved", .boolean),
    .optional("crc", .integer(0...Int64(UInt32.max))))

  private static let device = JSONSchema.open(
    .needed("device", .device), .needed("isOwned", .boolean), .needed("isBench", .boolean),
    .needed("isLinked", .boolean), .needed("isRemote", .boolean),
    .needed("isPaired", .boolean), .optional("isProved", .boolean),
    .optional("heardAt", timestamp), .optional("firmware", .text),
    .needed("overall", level), .needed("lines", lines))

  private static let account = JSONSchema.open(
    .needed("name", .text), .needed("email", .text), .needed("mobile", .text),
    .needed("country", .text), .needed("language", .text), .needed("possessive", .text),
    .needed("zone", .text), .needed("mayLocate", .boolean),
    .needed("messageEvery", .integer(1...60)), .needed("isSetUp", .boolean),
    .needed("isLoggedIn", .boolean), .needed("isEmailConfirmed", .boolean),
    .needed("confirmation", .choice(Confirmation.allCases.map(\.rawValue))),
    .needed("isProtecting", .boolean), .needed("hasPIN", .boolean), .needed("contacts", .count),
    .optional("devices", .array(.device, limit: 1_024)),
    .needed("places", .array(.reference("Place"), limit: 64)))

  private static let place = JSONSchema.closed(
    .needed("name", .text(1...100)),
    .needed("latitude", .integer(-900_000_000...900_000_000)),
    .needed("longitude", .integer(-1_800_000_000...1_800_000_000)))

  static let profileParts: [JSONSchema.Property] = [
    .optional("name", .text(1...100)), .optional("email", .text(0...200)),
    .optional("mobile", .text(0...40)), .optional("country", .text(0...2)),
    .optional("language", .text(0...35)), .optional("possessive", .text(0...20)),
    .optional("zone", .text(0...64)), .optional("mayLocate", .boolean),
    .optional("messageEvery", .integer(1...60)),
    .optional("places", .array(.reference("Place"), limit: 64)),
  ]

  private static let profile = JSONSchema.object(profileParts, open: false)

  static let number = JSONSchema.closed(
    .needed("number", .text(1...40)), .needed("chosen", .boolean))

  private static let draft = JSONSchema.closed(
    .needed("name", .text(1...100)), .needed("numbers", .array(number, limit: 8)),
    .optional("email", .nullable(.text)), .optional("language", .nullable(.text)))

  private static let logLine = JSONSchema.open(
    .needed("id", .count), .needed("wall", .integer(Int64.min...Int64.max)),
    .needed("name", .text), .optional("incident", .incident), .optional("device", .device),
    .optional("event", .text), .optional("contact", .text), .optional("who", .text),
    .optional("sink", .text), .optional("nextWall", .integer(Int64.min...Int64.max)),
    .optional("facts", .reference("Facts")), .optional("detail", .text(0...2_000)),
    .optional("link", .text))

  private static let causes =
    Reason.Cause.Kind.allCases.map(\.rawValue) + Reason.Oddity.allCases.map(\.rawValue)
  private static let changes = Set(
    AccountChange.Summary.Kind.allCases.map(\.rawValue)
      + Reason.SeriesChange.allCases.map(\.rawValue)
  ).sorted()

  /// The facts are flat: `type` says which of the other members exist. `reason` is for people only.
  private static let facts = JSONSchema.open(
    .optional("type", .choice(Facts.Kind.allCases.map(\.rawValue))), .optional("alike", .count),
    .optional("eventKind", .integer(0...255)), .optional("flags", .integer(0...255)),
    .optional("covered", .integer(0...65_535)), .optional("meaning", .text),
    .optional("from", state), .optional("to", state), .optional("state", state),
    .optional("kind", .choice(Notification.Kind.allCases.map(\.rawValue))),
    .optional("sequence", .count), .optional("attempt", .count),
    .optional("reason", .text(0...2_000)),
    .optional("cause", .choice(causes)), .optional("clicks", .count),
    .optional("microseconds", .count), .optional("ageUnknown", .boolean),
    .optional("doubt", .choice(Reason.Contradiction.Kind.allCases.map(\.rawValue))),
    .optional("event", .text), .optional("last", .text),
    .optional("slot", .integer(1...255)),
    .optional("source", .choice(Trigger.Source.allCases.map(\.rawValue))),
    .optional("fell", .boolean),
    .optional("outcome", .choice(Survey.Outcome.allCases.map(\.rawValue))),
    .optional("change", .choice(changes)), .optional("contact", .text),
    .optional("device", .device), .optional("series", .count),
    .optional("key", CheckInShapes.key), .optional("review", .count),
    .optional("step", .integer(1...4)),
    .optional("exercise", .choice(Exercise.allCases.map(\.rawValue))),
    .optional("end", .choice(ExerciseSession.End.allCases.map(\.rawValue))),
    .optional("seconds", .count),
    .optional("percent", .integer(0...255)), .optional("lines", .count),
    .optional("remark", .choice(Reason.Remark.allCases.map(\.rawValue))))
}

/// The JSON shapes of the bench's answers.
enum BenchShapes {
  static let all: [String: JSONSchema] = [
    "Bench": bench, "BenchLabel": label,
    "BenchLatency": latency,
    "BenchConformance": conformance,
  ]

  private static let bench = JSONSchema.open(
    .needed("now", .count), .needed("wall", .count), .needed("last", .count),
    .needed("keychains", .array(keychain, limit: Limits.devices)), .needed("patterns", .open()),
    .needed(
      "lines",
      .array(
        .open(
          .needed("spec", .text(0...4_096)), .needed("device", .nullable(.device)),
          .needed("isOpen", .boolean), .needed("obstacle", .nullable(.text(0...2_000)))),
        limit: Limits.devices)))

  /// `state` is the control socket's answer to {"do":"state"}.
  private static let keychain = JSONSchema.open(
    .needed("device", .device), .needed("serial", .count), .needed("line", .text(0...4_096)),
    .needed("state", .open()), .optional("hasLabel", .boolean),
    .optional(
      "track",
      .open(
        .needed(
          "fixes",
          .array(
            .open(
              .needed("at", .count), .needed("latitude", .integer(-900_000_000...900_000_000)),
              .needed("longitude", .integer(-1_800_000_000...1_800_000_000)),
              .needed("quality", .choice(["none", "weak", "good"]))),
            limit: ConsoleLimits.track)))))

  /// The code of a label (PROTOCOL.md, 15.6): as it is printed, as its QR code has it, and that.
  private static let label = JSONSchema.closed(
    .needed("device", .device), .needed("text", .text(53...53)),
    .needed("scanned", .text(49...49)), .needed("svg", .text(1...100_000)))

  /// A duration that crosses clocks may be negative.
  private static let duration = JSONSchema.integer(Int64.min...Int64.max)

  private static let latency = JSONSchema.open(
    .needed("presses", .count), .needed("since", .count),
    .needed(
      "stages",
      .array(
        .open(
          .needed("stage", .text), .needed("meaning", .text), .needed("crossesClocks", .boolean),
          .needed("isSum", .boolean), .needed("count", .count), .optional("min", duration),
          .optional("p50", duration), .optional("p90", duration), .optional("p99", duration),
          .optional("max", duration), .optional("mean", duration),
          .needed("buckets", .array(.array(.count, limit: 2), limit: 4_096))),
        limit: 32)),
    .optional("last", .open(.needed("event", .text), .needed("device", .device))))

  private static let outcome = JSONSchema.open(
    .needed("case", .text), .needed("chapter", .text), .needed("name", .text(0...2_000)),
    .needed("verdict", .choice(["passed", "failed", "notTested", "notRun"])),
    .optional("reason", .text(0...4_096)))

  private static let conformance = JSONSchema.open(
    .needed("isRunning", .boolean), .needed("judged", .text(0...2_000)),
    .needed("done", .count), .needed("total", .count),
    .needed("outcomes", .array(outcome, limit: 1_024)), .optional("summary", .text(0...2_000)),
    .optional("isGood", .boolean),
    .needed(
      "chapters",
      .array(
        .open(
          .needed("chapter", .text), .needed("title", .text), .needed("cases", .count),
          .needed("quickCases", .count)),
        limit: 64)))
}
