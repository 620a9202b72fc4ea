public import SerialIO
public import Transport
import USB

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
