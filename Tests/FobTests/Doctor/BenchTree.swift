import Foundation
import TestSupport

/// A made-up machine that is fit for a bench; a test then spoils something.
final class BenchTree {
  private let scratch: ScratchDirectory

  static let status = "Name:\tfob\nUid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\n"
  static let rule = "/etc/udev/rules.d/70-fob.rules"
  static let modules = "/lib/modules/6.1.0-56-amd64"
  static let timer = "/sys/bus/usb-serial/devices/ttyUSB0/latency_timer"
  static let keychain = "/sys/bus/usb/devices/1-1"

  init() throws {
    scratch = try ScratchDirectory()
    try file("/etc/passwd", "root:x:0:0::/root:/bin/sh\nowner:x:1000:1000::/:/bin/sh\n")
    try file("/etc/group", "root:x:0:\ndialout:x:20:owner\nplugdev:x:46:owner,other\n")
    try file("/proc/self/status", Self.status + "Groups:\t20 46 1000 \n")
    try file(
      Self.rule,
      String(contentsOfFile: Repository.root.path + "/udev/70-fob.rules", encoding: .utf8))
    try file("/run/udev/control", "")
    try file("/proc/sys/kernel/osrelease", "6.1.0-56-amd64\n")
    try file(
      Self.modules + "/modules.dep",
      """
      kernel/drivers/usb/class/cdc-acm.ko:
      kernel/drivers/usb/usbip/vhci-hcd.ko.xz: kernel/drivers/usb/usbip/usbip-core.ko.xz

      """)
    try file(Self.modules + "/modules.builtin", "kernel/drivers/usb/serial/usbserial.ko\n")
    try file("/sys/module/cdc_acm/refcnt", "0\n")
    try file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
    try file(
      "/proc/self/limits",
      "Limit                     Soft Limit           Hard Limit           Units     \n"
        + "Max open files            1024                 1048576              files     \n"
        + "Max locked memory         8388608              unlimited            bytes     \n"
        + "Max realtime priority     0                    40                             \n")
    try file("/proc/sys/fs/inotify/max_user_instances", "128\n")
    try file("/proc/cpuinfo", "processor\t: 0\nmodel name\t: a\n\nprocessor\t: 1\n")
    try file("/proc/loadavg", "0.07 0.10 0.09 1/200 4711\n")
    try file("/proc/4711/comm", "systemd\n")
    try file(Self.timer, "1\n")
    for (name, text) in [
      ("idVendor", "1209"), ("idProduct", "0001"), ("product", "fob keychain"),
      ("serial", "8000000000000001"), ("power/control", "on"),
      ("power/autosuspend_delay_ms", "2000"),
    ] {
      try file("\(Self.keychain)/\(name)", text + "\n")
    }
  }

  var path: String { scratch.path }

  func file(_ name: String, _ text: String) throws {
    try makeFolder(of: name)
    try Data(text.utf8).write(to: URL(filePath: path + name))
  }

  func link(_ name: String, to target: String) throws {
    try makeFolder(of: name)
    try FileManager.default.createSymbolicLink(atPath: path + name, withDestinationPath: target)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + name) }

  private func makeFolder(of name: String) throws {
    try FileManager.default.createDirectory(
      atPath: ((path + name) as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
  }
}
