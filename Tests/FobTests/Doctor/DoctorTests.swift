import Foundation
import TestSupport
import Testing

@testable import fob

/// What `fob doctor` says of benches that are made up, good and bad.
@Suite struct DoctorTests {
  private let tree: BenchTree

  init() throws { tree = try BenchTree() }

  @Test func `a good bench is all well, and each line says what was seen`() throws {
    let findings = findings()
    #expect(findings.allSatisfy { $0.level == .ok && $0.hint == nil }, "\(findings)")
    expect("group", .ok, "owner is in plugdev")
    expect("cdc_acm", .ok, "loaded")
    expect("vhci_hcd", .ok, "sudo modprobe vhci-hcd")
    expect("usbserial", .ok, "built into the kernel")
    expect("latency", .ok, "ttyUSB0 hands bytes on after 1 ms")
    expect("suspend", .ok, "8000000000000001 stays awake")
    expect("descriptors", .ok, "1048576")
    expect("inotify", .ok, "0 of 128")
    expect("realtime", .ok, "--realtime works here")
    expect("memory", .ok, "--lock-memory works here")
    expect("load", .ok, "2 processors, load 0.07")
  }

  @Test func `the rule in the code is the file that is shipped`() throws {
    let file = try String(
      contentsOfFile: Repository.root.path + "/udev/70-fob.rules", encoding: .utf8)
    #expect(ShippedRule.text + "\n" == file)
  }

  @Test func `who is in no group is told which, and how to join`() throws {
    try tree.file("/etc/group", "dialout:x:20:\nplugdev:x:46:\n")
    try tree.file("/proc/self/status", BenchTree.status + "Groups:\t1000 \n")
    expect("group", .error, "sudo usermod -aG plugdev owner, then log in again")
    expect("dialout", .warning, "sudo usermod -aG dialout owner")
    try tree.file("/dev/fob/8000000000000001", "")
    expect("group", .ok, "may open what is plugged in")
    try tree.file(
      "/proc/self/status", "Uid:\t1000\t1000\t1000\t1000\nGid:\t46\t46\t46\t46\nGroups:\t\n")
    expect("group", .ok, "owner is in plugdev: keychains open")
  }

  @Test func `who has joined since the last login is told to log in again`() throws {
    try tree.file("/proc/self/status", BenchTree.status + "Groups:\t1000 \n")
    expect("group", .error, "since the last login only; log in again")
    expect("dialout", .warning, "log in again")
  }

  @Test func `a system without the group is told to make it, and root needs none`() throws {
    try tree.file("/etc/group", "dialout:x:20:owner\n")
    expect("group", .error, "sudo groupadd --system plugdev")
    try tree.file("/proc/self/status", "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nGroups:\t\n")
    expect("group", .ok, "root")
  }

  @Test func `whoever asks as root is told that permissions were not tried`() {
    #expect(
      PermissionNote.findings(isRoot: true).map(\.line) == [
        "ok       permissions  not tried: root opens every port, also where others may not"
      ])
    #expect(PermissionNote.findings(isRoot: false).isEmpty)
  }

  @Test func `a rule that is missing, masked or another is said`() throws {
    try tree.file("/usr/lib/udev/rules.d/70-fob.rules", ShippedRule.text + "\n")
    try tree.file(BenchTree.rule, "")
    expect("rule", .error, "masks the rule; sudo rm /etc/udev/rules.d/70-fob.rules")
    try tree.file(BenchTree.rule, ShippedRule.text.replacing("plugdev", with: "users"))
    expect("rule", .warning, "/etc/udev/rules.d/70-fob.rules is not the rule of this fob")
    try tree.remove(BenchTree.rule)
    expect("rule", .ok, "/usr/lib/udev/rules.d/70-fob.rules")
    try tree.remove("/usr/lib/udev/rules.d/70-fob.rules")
    expect("rule", .error, "make install-udev")
  }

  @Test func `without udevd nothing gets a name`() throws {
    try tree.remove("/run/udev/control")
    expect("udevd", .error, "systemd-udevd")
  }

  @Test func `a kernel without the modules is said, and one module is another's matter`() throws {
    try tree.remove("/sys/module")
    expect("cdc_acm", .ok, "a keychain that is plugged in loads it")
    try tree.file(BenchTree.modules + "/modules.dep", "kernel/x/cdc-acm-other.ko:\n")
    try tree.file(BenchTree.modules + "/modules.builtin", "")
    expect("cdc_acm", .error, "6.1.0-56-amd64 has no cdc_acm")
    expect("vhci_hcd", .warning, "fob attach cannot work")
    expect("usbserial", .warning, "FTDI")
    try tree.file("/sys/module/vhci_hcd/refcnt", "0")
    expect("vhci_hcd", .ok, "loaded")
  }

  @Test func `ModemManager is kept away by the rule, and is an error without it`() throws {
    try tree.file("/proc/700/comm", "ModemManager\n")
    expect("modemmanager", .ok, "the rule keeps it away")
    try tree.remove(BenchTree.rule)
    expect("modemmanager", .error, "make install-udev")
  }

  @Test func `brltty takes adapters, running or by its rule`() throws {
    try tree.file("/usr/lib/udev/rules.d/85-brltty.rules", "")
    expect("brltty", .warning, "it is installed and takes")
    try tree.file("/proc/700/comm", "brltty\n")
    expect("brltty", .warning, "it is running and takes")
  }

  @Test func `each port with a slow latency timer is named, with the file to write`() throws {
    try tree.file(BenchTree.timer, "16\n")
    try tree.file(BenchTree.timer.replacing("ttyUSB0", with: "ttyUSB1"), "1\n")
    expect("latency", .warning, "up to 16 ms; echo 1 | sudo tee \(BenchTree.timer)")
    #expect(findings().filter { $0.check == "latency" }.map(\.level) == [.warning, .ok])
    try tree.remove("/sys/bus/usb-serial")
    expect("latency", .ok, "no FTDI port")
  }

  @Test func `a keychain that may be suspended is named, another device is not`() throws {
    try tree.file(BenchTree.keychain + "/power/control", "auto\n")
    expect("suspend", .warning, "suspend 8000000000000001 after 2000 ms")
    expect("suspend", .warning, "echo on | sudo tee \(BenchTree.keychain)/power/control")
    try tree.file(BenchTree.keychain + "/product", "Mouse\n")
    expect("suspend", .ok, "no keychain is plugged in")
  }

  @Test func `which of the real-time options would be refused is said, and is no warning`() throws {
    try tree.file(
      "/proc/self/limits",
      "Max locked memory         8388608              8388608              bytes     \n"
        + "Max realtime priority     0                    0                              \n")
    expect("realtime", .ok, "LimitRTPRIO=40 of the service")
    expect("memory", .ok, "LimitMEMLOCK=infinity of the service")
    try tree.file("/proc/self/status", "CapEff:\t0000000000804000\n")
    expect("realtime", .ok, "--realtime works here")
    expect("memory", .ok, "--lock-memory works here")
  }

  @Test func `few descriptors, few instances of inotify and a high load are said`() throws {
    try tree.file("/proc/self/limits", "Max open files            256   512   files\n")
    expect("descriptors", .warning, "512 files open: about 64 keychains")
    try tree.file("/proc/self/limits", "Max open files  1024 unlimited files\n")
    expect("descriptors", .ok, "no limit")
    try tree.file("/proc/sys/fs/inotify/max_user_instances", "9\n")
    for number in 0..<2 { try tree.link("/proc/700/fd/\(number)", to: "anon_inode:inotify") }
    try tree.link("/proc/700/fd/2", to: "/dev/null")
    expect("inotify", .warning, "2 of 9 instances in use")
    try tree.file("/proc/sys/fs/inotify/max_user_instances", "2\n")
    expect("inotify", .error, "sudo sysctl fs.inotify.max_user_instances=512")
    try tree.file("/proc/loadavg", "3.00 1 1 1/1 1\n")
    expect("load", .ok, "load 3.00")
    try tree.file("/proc/loadavg", "3.01 1 1 1/1 1\n")
    expect("load", .warning, "busy")
  }

  @Test func `an empty root is bad, and no trap`() throws {
    let empty = try ScratchDirectory()
    let findings = DoctorCommand.findings(
      BenchRoot(root: empty.path), usb: true, state: empty.path)
    #expect(findings.count >= 15)
    #expect(findings.contains { $0.check == "rule" && $0.level == .error })
  }

  @Test func `a bench without USB is well, and is told what USB would lack`() throws {
    let scratch = try ScratchDirectory()
    let empty = try BenchTree()
    for path in [
      BenchTree.rule, "/run/udev/control", "/sys/module", "/dev/fob", BenchTree.keychain,
      "/sys/bus/usb-serial",
    ] {
      try? empty.remove(path)
    }
    let fob = { (options: [String]) in
      let fob = try RunningFob(
        ["doctor", "--root", empty.path, "--state", scratch.path] + options, in: scratch,
        awaitsReady: false)
      return (fob.awaitEnd(), fob.output)
    }
    let (code, output) = try fob([])
    #expect(code == 0, "\(output)")
    #expect(output.contains("nobody asked for USB (--usb): what it lacks is no fault"))
    #expect(output.contains("ok       rule         for USB alone: the udev rule is not installed"))
    let (asked, words) = try fob(["--usb"])
    #expect(asked == 1, "\(words)")
    #expect(words.contains("error    rule         the udev rule is not installed"))
  }

  @Test func `the command prints a line each, or JSON, and ends with 1 for an error`() throws {
    let good = try fob()
    #expect(good.code == 0, "\(good.output)")
    #expect(good.output.contains("ok       rule"))
    try tree.remove(BenchTree.rule)
    let bad = try fob()
    #expect(bad.code == 1)
    #expect(bad.output.contains("error    rule"))
    let json = try fob("--json")
    #expect(json.code == 1)
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(answer["worst"] as? String == "error")
    let findings = try #require(answer["findings"] as? [[String: Any]])
    let rule = findings.first { $0["check"] as? String == "rule" }
    #expect((rule?["wayOut"] as? String)?.contains("make install-udev") == true)
    #expect(findings.count == good.output.split(separator: "\n").count)
  }

  @Test func `no name of a device acts on the terminal`() throws {
    try tree.file(BenchTree.keychain + "/serial", "80\u{1B}[2J\u{9B}1m\u{202E}\n")
    let output = try fob().output
    #expect(output.contains(#"suspend      80\u{1b}[2J\u{9b}1m\u{202e} stays awake"#), "\(output)")
  }

  private func fob(_ arguments: String...) throws -> (output: String, code: Int32?) {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["doctor", "--root", tree.path, "--state", scratch.path] + arguments, in: scratch,
      awaitsReady: false)
    let code = fob.awaitEnd()
    return (fob.output, code)
  }

  /// What does not depend on the machine that the test runs on.
  private func findings() -> [Finding] {
    let bench = BenchRoot(root: tree.path)
    let checks: [any BenchCheck.Type] = [
      GroupCheck.self, RuleCheck.self, ModuleCheck.self, RivalCheck.self, AdapterCheck.self,
      LimitCheck.self, RealTimeCheck.self, LoadCheck.self,
    ]
    return checks.flatMap { $0.init(bench).findings }
  }

  private func expect(
    _ check: String, _ level: Finding.Level, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = findings().first { $0.check == check }
    #expect(found?.level == level, "\(found?.line ?? "nothing")", sourceLocation: sourceLocation)
    #expect(
      found?.line.contains(words) == true, "\(found?.line ?? "nothing")",
      sourceLocation: sourceLocation)
  }
}
