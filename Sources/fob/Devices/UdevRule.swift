import Foundation
import Transport

/// fob's udev rule on this machine: where it is installed, and what is missing without it.
struct UdevRule {
  /// Where udev(7) looks for rules; of files with one name the first counts.
  static let folders = [
    "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
    "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
  ]
  static let paths = folders.map { $0 + "/70-fob.rules" }

  /// Where it was found; nil: it is not installed.
  let path: String?

  init(root: String = "") {
    path = Self.paths.first { FileManager.default.fileExists(atPath: root + $0) }
  }

  /// Nil where the rule was applied to the device.
  func warning(for device: PluggedDevice) -> String? {
    if device.isKeychain, device.isKeptFromModemManager { return nil }
    if let path { return "the udev rule \(path) was not applied to it: plug it in again" }
    return "the udev rule is not installed: no group, no name that stays, and ModemManager may open"
      + " the port; make install-udev"
  }
}
