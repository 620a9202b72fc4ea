public import SerialIO
public import Transport
import USB

/// The keychains that a bridge has found, each once, by serial number. A keychain that was found
/// stays: its line is looked for as long as the bridge runs, wherever it is plugged in next.
struct DiscoveredDevices: Sendable {
  enum Effect: Equatable, Sendable {
    /// Open it, now and whenever it is there.
    case serve(DeviceSpec)
    /// Say HELLO at its port, and hand in what came of it with ``answered(_:_:)``.
    case ask(AttachedDevice)
    case notice(BridgeEvent.Notice.Level, String)
  }

  private let match: KeychainMatch
  private let limit: Int
  private var served: Set<DeviceSpec>
  /// Attached devices by the spec that opens them; the first of a spec is in use.
  private var present: [DeviceSpec: [AttachedDevice]] = [:]
  /// The folders in /sys of devices that were asked and have not answered.
  private var asked: Set<String> = []

  /// - Parameter serving: the specs that the bridge opens already; they are not opened twice.
  init(_ match: KeychainMatch, serving: [DeviceSpec] = [], limit: Int) {
    self.match = match
    self.limit = limit
    served = Set(
      serving.map { spec in
        if case .usb(let address) = spec.kind { DeviceSpec(.tty(address)) } else { spec }
      })
  }

  mutating func handle(_ change: HotplugChange) -> [Effect] {
    switch change {
    case .appeared(let device):
      if match.takes(device) || served.contains(device.spec) { return appeared(device) }
      guard match.mayBe(device) else { return [] }
      asked.insert(device.systemPath)
      return [.ask(device)]
    case .gone(let device):
      asked.remove(device.systemPath)
      present[device.spec]?.removeAll { $0.systemPath == device.systemPath }
      return []
    }
  }

  /// Takes what came of the question to a device. It is asked once: one that is no keychain is left
  /// alone until it is plugged in again.
  mutating func answered(_ device: AttachedDevice, _ answer: KeychainInquiry.Answer) -> [Effect] {
    guard asked.remove(device.systemPath) != nil else { return [] }
    switch answer {
    case .keychain: return appeared(device)
    case .silence:
      return [
        .notice(
          .info,
          "no keychain answers at \(device.node): it is left alone until it is plugged in again"
        )
      ]
    case .failure(let failure):
      return [
        .notice(
          .warning,
          "\(device.node) may be a keychain and cannot be asked: \(failure); plug it in again")
      ]
    }
  }

  private mutating func appeared(_ device: AttachedDevice) -> [Effect] {
    let spec = device.spec
    let others = present[spec, default: []]
    present[spec, default: []].append(device)
    if let first = others.first {
      let reason =
        device.address.serial.map { "it has the serial number \($0), as \(first.node) has" }
        ?? "neither it nor \(first.node) has a serial number"
      return [
        .notice(
          .warning,
          "\(device.node) is not used: \(reason); unplug one, or give it a number of its own")
      ]
    }
    if served.contains(spec) { return [] }
    guard served.count < limit else {
      return [
        .notice(
          .error, "\(device.node) is not used: a bridge serves at most \(limit) keychains")
      ]
    }
    served.insert(spec)
    return [.notice(.info, "found \(spec) at \(device.node)"), .serve(spec)]
  }
}

/// Decides which attached devices are keychains.
public struct KeychainMatch: Sendable {
  private let ids: [USBAddress]

  /// - Parameter ids: devices with these ids count as keychains, whatever they call themselves.
  public init(ids: [USBAddress] = []) { self.ids = ids }

  /// True if a udev rule marks it (FOB_KEYCHAIN), if ids and product are those of an emulated
  /// keychain, or if its ids were given.
  public func takes(_ device: AttachedDevice) -> Bool {
    if device.isKeychain || ids.contains(where: { $0.matches(device.address) }) { return true }
    return USBAddress.keychain.matches(device.address) && device.product == USBIdentity.keychainName
  }

  /// True for a device on which the keychain's firmware may run, or anything else: a micro:bit.
  func mayBe(_ device: AttachedDevice) -> Bool { device.microbit != nil }
}

extension USBAddress {
  fileprivate func matches(_ other: USBAddress) -> Bool {
    matches(vendor: other.vendor, product: other.product, serial: other.serial)
  }
}
