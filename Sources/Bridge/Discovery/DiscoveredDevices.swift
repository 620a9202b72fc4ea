public import SerialIO
public import Transport
import USB

/// The keychains that a bridge has found so far, each once, by its serial number. One that was
/// found stays: its line is looked for as long as the bridge runs, wherever it is plugged in next.
struct DiscoveredDevices: Sendable {
  enum Effect: Equatable, Sendable {
    /// Open it, now and whenever it is there.
    case serve(DeviceSpec)
    case notice(BridgeEvent.Notice.Level, String)
  }

  private let match: KeychainMatch
  private let limit: Int
  private var served: Set<DeviceSpec>
  /// What is plugged in, by what it would be opened as; the first is the one in use.
  private var present: [DeviceSpec: [AttachedDevice]] = [:]

  /// - Parameter serving: what the bridge opens already; it is not opened twice.
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
      return match.takes(device) ? appeared(device) : []
    case .gone(let device):
      present[device.spec]?.removeAll { $0.systemPath == device.systemPath }
      return []
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

/// Which of the devices that are plugged in are keychains.
public struct KeychainMatch: Sendable {
  private let ids: [USBAddress]

  /// - Parameter ids: devices with these ids are keychains, too, whatever they call themselves.
  public init(ids: [USBAddress] = []) { self.ids = ids }

  /// Whether a udev rule says so (FOB_KEYCHAIN), it is an emulated keychain by ids and product, or
  /// its ids are among those given.
  public func takes(_ device: AttachedDevice) -> Bool {
    if device.isKeychain || ids.contains(where: { $0.matches(device.address) }) { return true }
    return USBAddress.keychain.matches(device.address) && device.product == USBIdentity.keychainName
  }
}

extension USBAddress {
  fileprivate func matches(_ other: USBAddress) -> Bool {
    matches(vendor: other.vendor, product: other.product, serial: other.serial)
  }
}
