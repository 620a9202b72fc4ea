import Bridge
import FobBase
import SerialIO
import Transport

/// The keychains that are plugged in.
///
/// Two sources, each for what it alone knows. Of udev: which devices are keychains, under which
/// names, and whether its rule was applied; libudev reads the running system alone, so nothing is
/// found below another root. Of `PortScan`, from /dev, /sys and /proc: every serial port, who may
/// open it and who has it open.
struct KeychainScan {
  let ports: [SerialPort]
  let rule: RuleCheck
  /// Of both kinds.
  let plugged: [AttachedDevice]
  /// Asks one keychain; its node is that of the USB device.
  let ask: (USBAddress, String) throws -> KeychainReport

  func keychains(_ match: KeychainMatch = KeychainMatch()) -> [FoundKeychain] {
    let devices = plugged.filter { $0.kind == .device && match.takes($0) }
    let ports = plugged.filter { $0.kind == .port && match.takes($0) }
    var keychains = devices.map { device in
      let port = ports.first { $0.interface?.hasPrefix(device.systemPath + "/") ?? false }
      return keychain(port, device)
    }
    // A container may show the one and not the other.
    for port in ports where !keychains.contains(where: { $0.port == port.node }) {
      keychains.append(keychain(port, nil))
    }
    return keychains.sorted { ($0.spec, $0.port ?? "") < ($1.spec, $1.port ?? "") }
  }

  private func keychain(_ port: AttachedDevice?, _ device: AttachedDevice?) -> FoundKeychain {
    let shown = (port ?? device)!
    var found = FoundKeychain(
      serial: shown.address.serial, spec: "\(shown.spec)", usbNode: device?.node,
      port: port?.node, links: shown.links)
    if let port {
      found.problem = ports.first { $0.path == port.node }?.problem
    } else {
      found.problem =
        "the kernel gives it no serial port: sudo modprobe cdc_acm, or a bridge has it by usb:"
    }
    found.warning = rule.warning(for: shown)
    guard let device else { return found }
    do {
      found.take(try ask(device.address, device.node))
    } catch {
      found.silence = "\(error)"
    }
    return found
  }
}
