public import SerialIO
import USB

extension USBAddress {
  /// Of the emulated keychains, whatever their serial numbers.
  public static let keychain: USBAddress = {
    let identity = USBIdentity.keychain(serial: "")
    return USBAddress(vendor: identity.vendor, product: identity.product)
  }()
}
