import FobBase

/// The shapes of what the bench answers.
enum BenchShapes {
  static let all: [String: JSONSchema] = [
    "Bench": bench,
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

  /// `state` is what the control socket answers to {"do":"state"}.
  private static let keychain = JSONSchema.open(
    .needed("device", .device), .needed("serial", .count), .needed("line", .text(0...4_096)),
    .needed("state", .open()),
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

  /// Durations may be negative where they cross clocks.
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
