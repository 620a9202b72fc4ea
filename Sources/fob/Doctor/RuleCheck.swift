import Transport

/// The udev rule of keychains, and udevd, which acts on it.
struct RuleCheck: BenchCheck {
  static let isOfUSB = true

  /// The file that counts, where one is installed, and its text.
  let path: String?
  let text: String?
  /// udevd's control socket is there.
  let udevdRuns: Bool

  /// Where udev(7) looks for rules; of files with one name the first counts.
  static let folders = [
    "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
    "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
  ]

  init(_ bench: BenchRoot) {
    path = Self.folders.map { "\($0)/70-fob.rules" }.first { bench.exists($0) }
    text = path.flatMap { bench.text($0) }
    udevdRuns = bench.exists("/run/udev/control")
  }

  var findings: [Finding] { [ruleFinding, udevdFinding] }

  /// Installed, and not masked by an empty file.
  var counts: Bool { text?.isEmpty == false }

  private var ruleFinding: Finding {
    guard let path else {
      return .error(
        "rule", "the udev rule is not installed: no /dev/fob, no group",
        "make install-udev, or install the Debian package")
    }
    guard counts else {
      return .error("rule", "\(path) is empty and masks the rule", "sudo rm \(path)")
    }
    guard text == ShippedRule.text else {
      return .warning(
        "rule", "\(path) is not the rule of this fob",
        "make install-udev; devices of your own belong in a file before it (udev/README.md)")
    }
    return .ok("rule", "\(path) is the rule of this fob")
  }

  private var udevdFinding: Finding {
    udevdRuns
      ? .ok("udevd", "it runs")
      : .error(
        "udevd",
        "it does not run: what is plugged in gets no name and no group, and is found by polling",
        "sudo systemctl start systemd-udevd; a container needs that of its host")
  }
}

extension RuleCheck {
  /// What one keychain lacks for want of the rule; nil where it was applied to it.
  func warning(for device: AttachedDevice) -> String? {
    if device.isKeychain, device.isKeptFromModemManager { return nil }
    if let path, counts {
      return "the udev rule \(path) was not applied to it: plug it in again"
    }
    return "the udev rule is not installed: no group, no name that stays, and ModemManager may open"
      + " the port; make install-udev"
  }
}

/// `udev/70-fob.rules` as it was when this was built; a test holds them alike.
enum ShippedRule {
  static let text = #"""
    ACTION=="remove", GOTO="fob_end"
    SUBSYSTEM!="usb|usb-serial|tty", GOTO="fob_end"
    SUBSYSTEM=="usb", ENV{DEVTYPE}!="usb_device", GOTO="fob_end"

    SUBSYSTEMS=="usb", ATTRS{idVendor}=="0d28", ATTRS{idProduct}=="0204", \
      ATTRS{serial}=="9900*|9901*|9903*|9904*|9905*|9906*", ENV{ID_MM_DEVICE_IGNORE}="1"

    SUBSYSTEMS=="usb", ATTRS{idVendor}=="1209", ATTRS{idProduct}=="0001", \
      ATTRS{manufacturer}=="fob", ATTRS{product}=="fob keychain", ENV{FOB_KEYCHAIN}="1"
    ENV{FOB_KEYCHAIN}!="1", GOTO="fob_end"

    ENV{ID_MM_DEVICE_IGNORE}="1"
    SUBSYSTEM=="usb-serial", TEST=="latency_timer", ATTR{latency_timer}="1"
    SUBSYSTEM=="usb-serial", GOTO="fob_end"

    GROUP="plugdev", MODE="0660", TAG+="uaccess", TAG+="fob"
    SUBSYSTEM=="tty", ENV{ID_SERIAL_SHORT}=="[0-9A-Za-z]*", \
      ENV{ID_SERIAL_SHORT}!="*[!0-9A-Za-z]*", SYMLINK+="fob/$env{ID_SERIAL_SHORT}"

    LABEL="fob_end"
    """#
}
