import SerialIO
import Transport
import USB

/// What delays bytes of ports that are plugged in: latency timers of FTDI's converters, and
/// keychains that the kernel may suspend.
struct AdapterCheck: BenchCheck {
  struct Timer: Equatable {
    let port: String
    let milliseconds: Int
  }

  struct Keychain: Equatable {
    /// The kernel's name, as `1-1`.
    let name: String
    let serial: String?
    /// `power/control` of it: `on`, or `auto`.
    let control: String
    let delay: Int?
  }

  let timers: [Timer]
  let keychains: [Keychain]

  init(_ bench: BenchRoot) {
    let ports = "/sys/bus/usb-serial/devices"
    timers = bench.entries(ports).compactMap { port in
      bench.number("\(ports)/\(port)/latency_timer").map { Timer(port: port, milliseconds: $0) }
    }
    let devices = "/sys/bus/usb/devices"
    keychains = bench.entries(devices).compactMap { name in
      let folder = "\(devices)/\(name)"
      guard bench.text(folder + "/idVendor") == USBAddress.digits(USBAddress.keychain.vendor),
        bench.text(folder + "/idProduct") == USBAddress.digits(USBAddress.keychain.product),
        bench.text(folder + "/product") == USBIdentity.keychainName,
        let control = bench.text(folder + "/power/control")
      else { return nil }
      return Keychain(
        name: name, serial: bench.text(folder + "/serial"), control: control,
        delay: bench.number(folder + "/power/autosuspend_delay_ms"))
    }
  }

  /// Something of USB is there.
  var isPluggedIn: Bool { !timers.isEmpty || !keychains.isEmpty }

  var findings: [Finding] {
    (timers.isEmpty ? [.ok("latency", "no FTDI port is plugged in")] : timers.map(finding))
      + (keychains.isEmpty
        ? [.ok("suspend", "no keychain is plugged in")] : keychains.map(finding))
  }

  private func finding(_ timer: Timer) -> Finding {
    guard timer.milliseconds > 1 else {
      return .ok("latency", "\(timer.port) hands bytes on after \(timer.milliseconds) ms")
    }
    let file = "/sys/bus/usb-serial/devices/\(timer.port)/latency_timer"
    return .warning(
      "latency", "\(timer.port) keeps bytes back for up to \(timer.milliseconds) ms",
      "echo 1 | sudo tee \(file), or fob bridge --low-latency, or the rule does it for a keychain"
        + " that it knows (udev/README.md)")
  }

  private func finding(_ keychain: Keychain) -> Finding {
    let called = keychain.serial ?? keychain.name
    guard keychain.control != "on" else {
      return .ok("suspend", "\(called) stays awake")
    }
    let after = keychain.delay.map { " after \($0) ms without a transfer" } ?? ""
    return .warning(
      "suspend", "the kernel may suspend \(called)\(after): its next press has to wake it",
      "echo on | sudo tee /sys/bus/usb/devices/\(keychain.name)/power/control")
  }
}
