import Foundation
import Transport

/// fob's udev rule on this machine: where it is installed, and what is missing without it.
struct UdevRule {
  static let name = "70-fob.rules"
  /// As udev(7) reads them, those of the administrator first.
  private static let folders = [
    "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
    "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
  ]

  /// Where it was found; nil: it is not installed.
  let path: String?

  init(root: String = "") {
    path = Self.folders.map { "\($0)/\(Self.name)" }.first {
      FileManager.default.fileExists(atPath: root + $0)
    }
  }

  /// Nil where the rule was applied to the device.
  func warning(for device: PluggedDevice) -> String? {
    if device.isKeychain, device.isKeptFromModemManager { return nil }
    if let path { return "the udev rule \(path) was not applied to it: plug it in again" }
    return "the udev rule is not installed: no group, no name that stays, and ModemManager may open"
      + " the port; make install-udev"
  }
}
