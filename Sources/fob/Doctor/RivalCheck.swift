/// Programs that open serial ports by themselves.
struct RivalCheck: BenchCheck {
  let modemManagerRuns: Bool
  let ruleCounts: Bool
  let brlttyRuns: Bool
  /// Its own rule, which starts it for some adapters.
  let brlttyHasRule: Bool

  init(_ bench: BenchRoot) {
    modemManagerRuns = bench.runs("ModemManager")
    ruleCounts = RuleCheck(bench).counts
    brlttyRuns = bench.runs("brltty")
    brlttyHasRule = RuleCheck.folders.contains { folder in
      bench.entries(folder).contains { $0.contains("brltty") && $0.hasSuffix(".rules") }
    }
  }

  var findings: [Finding] { [modemManager, brltty] }

  private var modemManager: Finding {
    guard modemManagerRuns else { return .ok("modemmanager", "it does not run") }
    return ruleCounts
      ? .ok("modemmanager", "it runs, and the rule keeps it away from keychains")
      : .error(
        "modemmanager", "it runs and will try each keychain as a modem for some seconds",
        "make install-udev keeps it away")
  }

  private var brltty: Finding {
    guard brlttyRuns || brlttyHasRule else { return .ok("brltty", "it is not installed") }
    return .warning(
      "brltty",
      "it is \(brlttyRuns ? "running" : "installed") and takes some serial adapters (FTDI, CP210x,"
        + " CH340) for braille displays",
      "sudo apt remove brltty, where nobody needs it")
  }
}
