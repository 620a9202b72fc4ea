import SerialIO

/// Whether the real-time options would work for this user. None is needed, so nothing here is a
/// warning.
struct RealTimeCheck: BenchCheck {
  /// The hard limit; nil: none.
  let priority: Int?
  /// In bytes; nil: none.
  let lockedMemory: Int?
  let mayAll: Bool

  init(_ bench: BenchRoot) {
    let limits = bench.text("/proc/self/limits") ?? ""
    priority = Self.hardLimit("Max realtime priority", in: limits)
    lockedMemory = Self.hardLimit("Max locked memory", in: limits)
    mayAll =
      (bench.text("/proc/self/status") ?? "").split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("CapEff:") }
      .flatMap { UInt64($0.split(whereSeparator: \.isWhitespace).last ?? "", radix: 16) }
      .map { $0 >> 14 & $0 >> 23 & 1 == 1 } ?? false
  }

  /// Names are padded to 25 columns; a limit that is not told is 0.
  private static func hardLimit(_ name: String, in text: String) -> Int? {
    guard let line = text.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix(name) }),
      let hard = line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).dropFirst().first
    else { return 0 }
    return hard == "unlimited" ? nil : Int(hard) ?? 0
  }

  var findings: [Finding] {
    let wanted = Int(RealTimePriority.wanted)
    let mayRun = mayAll || priority.map { $0 > 0 } ?? true
    let mayLock = mayAll || lockedMemory == nil
    return [
      Finding(
        check: "realtime", level: .ok,
        text: mayRun
          ? "--realtime works here: presses go before all other work"
          : "--realtime is not permitted; presses wait their turn on a busy machine",
        hint: mayRun ? nil : "LimitRTPRIO=\(wanted) of the service, or rtprio in limits.d"),
      Finding(
        check: "memory", level: .ok,
        text: mayLock
          ? "--lock-memory works here: no press waits for a page"
          : "--lock-memory is not permitted; after long rest a press may wait for pages",
        hint: mayLock ? nil : "LimitMEMLOCK=infinity of the service, or memlock in limits.d"),
    ]
  }
}
