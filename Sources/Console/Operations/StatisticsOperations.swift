import AlertCore
import Bridge
import FobBase
import Hummingbird
import SerialIO
import Storage

/// What runs, what it uses, and how often the check-ins did what (R111).
enum StatisticsOperations {
  private static let counts = JSONSchema.open(
    .optional("since", CheckInShapes.moment), .needed("series", .count), .needed("open", .count),
    .needed("history", .count), .needed("asked", .count), .needed("completed", .count),
    .needed("clicked", .count), .needed("escalated", .count), .needed("missed", .count))

  private static let statistics = JSONSchema.open(
    .needed("version", .text), .needed("build", .choice(["debug", "release"])),
    .needed("builtAt", CheckInShapes.moment), .needed("uptime", .count),
    .needed("memory", .count), .needed("memoryPeak", .count),
    .needed(
      "batteries",
      .array(
        .open(
          .needed("device", .device), .optional("percent", .integer(0...255)),
          .needed("hasNoBattery", .boolean)),
        limit: Limits.devices)),
    .needed("database", .count), .needed("logLines", .count),
    .needed(
      "files",
      .array(
        .open(
          .needed("name", .text(0...255)), .needed("bytes", .count),
          .needed("changedAt", CheckInShapes.moment)),
        limit: 10_000)),
    .needed("checkIns", counts))

  static let all = [
    Operation(
      method: .get, path: "/v1/statistics", scope: .observe,
      summary: "What runs, what it uses, and the counts of the check-ins; sizes are in bytes",
      success: [.json(statistics, "uptime in seconds; since: the last reset")],
      handler: show),
    Operation(
      method: .delete, path: "/v1/statistics", scope: .administer,
      summary: "Sets the counts of the check-ins to 0", form: .json(.closed(), isRequired: false),
      success: [.json(.reference("Done"), "It is durable")], problems: Operation.refusals,
      handler: { try await $0.perform(.checkIn(.resetCounts, isProven: false)) }),
  ]

  private struct Statistics: Encodable {
    let version: String
    let build: String
    let builtAt: Int64
    let uptime: Int64
    let memory: Int64
    let memoryPeak: Int64
    let batteries: [Battery]
    let database: UInt64
    let logLines: Int64
    let files: [StoredFile]
    let checkIns: Counts
  }

  private struct Battery: Encodable {
    let device: String
    let percent: UInt8?
    /// Its keychain says that it has none.
    let hasNoBattery: Bool

    init(_ link: CoreStatus.Link, _ devices: [CoreStatus.Device]) {
      let lines = devices.first { $0.device == link.device }?.lines ?? []
      device = link.device
      percent = link.batteryPercent
      hasNoBattery = lines.contains { $0.code == .batteryNone }
    }
  }

  private struct Counts: Encodable {
    let since: Int64?
    let series: Int
    let open: Int
    let history: Int
    let asked: Int
    let completed: Int
    let clicked: Int
    let escalated: Int
    let missed: Int

    init(_ checkIns: CheckIns) {
      let counts = checkIns.counts
      since = counts.since == 0 ? nil : counts.since
      series = checkIns.series.count
      open = checkIns.open.count
      history = checkIns.closed.count
      asked = counts.asked
      completed = counts.completed
      clicked = counts.clicked
      escalated = counts.escalated
      missed = counts.missed
    }
  }

  private static func show(_ call: Call) async throws -> Response {
    let (files, lines) = try await call.reading { (try $0.files(), try $0.lastLogID()) }
    let process = ProcessFacts.now
    let status = call.core.status
    let database = files.filter { $0.name == "fob.sqlite" || $0.name == "fob.sqlite-wal" }
    return Reply.json(
      Statistics(
        version: AlertBridge.version, build: process.build, builtAt: process.builtAt,
        uptime: (BootClock.now() - call.api.startedAt).microseconds / 1_000_000,
        memory: process.memory, memoryPeak: process.memoryPeak,
        batteries: status.links.map { Battery($0, status.devices) },
        database: database.reduce(0) { $0 + $1.bytes }, logLines: lines, files: files,
        checkIns: Counts(call.core.checkIns)))
  }
}
