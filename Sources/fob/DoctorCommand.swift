import ArgumentParser
import Capture
import Glibc

/// `fob doctor`: whether this machine is fit for a bench, and what to do where it is not.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check everything that a bench needs, and say how to fix what is missing.",
    discussion: """
      One line for each thing: ok, a warning, or an error. Ends with 1 where something is an \
      error. What only keychains on USB need is no fault while none is plugged in, unless --usb \
      is given. No port is opened and nothing is changed; in the state folder a file of 60 KB is \
      written, to see how long the disk takes, and removed.
      """)

  @OptionGroup var output: JSONOption

  @Flag(help: "Check what keychains on USB need, also while none is plugged in.")
  var usb = false

  @Option(help: "State folder. (default: $XDG_STATE_HOME/fob/bridge)", completion: .directory)
  var state: String?

  @Option(help: "Check etc, dev, lib, proc, run, sys and usr of this folder. (default: /)")
  var root: String?

  private struct Answer: Encodable {
    let worst: Finding.Level
    let findings: [Finding]
  }

  func run() throws {
    try output.begin()
    let findings = try Self.findings(
      BenchRoot(root: root ?? ""), usb: usb,
      state: state ?? StateFolder.standard("bridge"))
    let worst = findings.map(\.level).max() ?? .ok
    if output.json {
      try Terminal.json(Answer(worst: worst, findings: findings))
    } else {
      for finding in findings { Terminal.line(PrintableText.of(finding.line)) }
    }
    guard worst < .error else { throw ExitCode(ExitStatus.expectationMissed.rawValue) }
  }

  /// - Parameter usb: keychains on USB are wanted, plugged in or not.
  static func findings(_ bench: BenchRoot, usb: Bool, state: String) -> [Finding] {
    let checks: [any BenchCheck.Type] = [
      GroupCheck.self, RuleCheck.self, ModuleCheck.self, RivalCheck.self, AdapterCheck.self,
      MicrobitCheck.self, ClockCheck.self, LimitCheck.self, RealTimeCheck.self, LoadCheck.self,
    ]
    let needsUSB = usb || AdapterCheck(bench).isPluggedIn || bench.exists("/dev/fob")
    let found = checks.flatMap { check in
      let findings = check.init(bench).findings
      return check.isOfUSB && !needsUSB ? findings.map(\.forUSBAlone) : findings
    }
    return [USBNeed.finding(needsUSB)] + PermissionNote.findings(isRoot: getuid() == 0) + found
      + StateFolderCheck(bench, state: state).findings + RuntimeFolderCheck().findings
  }
}

/// What permissions that were tried say.
enum PermissionNote {
  /// - Parameter isRoot: of this process.
  static func findings(isRoot: Bool) -> [Finding] {
    isRoot
      ? [.ok("permissions", "not tried: root opens every port, also where others may not")] : []
  }
}

/// Whether the bench needs USB.
enum USBNeed {
  static func finding(_ isNeeded: Bool) -> Finding {
    .ok(
      "usb",
      isNeeded
        ? "what keychains and adapters on USB need is checked"
        : "nothing is plugged in, and nobody asked for USB (--usb): what it lacks is no fault")
  }
}
