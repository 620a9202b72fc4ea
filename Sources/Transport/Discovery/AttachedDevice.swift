public import SerialIO

/// A USB device that is plugged in, or the serial port that the kernel gives one, as udev told of
/// it when it came. On removal /sys is no longer to be asked, so what was told then is kept.
public struct AttachedDevice: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A serial port: subsystem `tty`, below a USB device.
    case port
    /// The device itself, as libusb opens it: subsystem `usb`, type `usb_device`.
    case device
  }

  public let kind: Kind
  /// Its folder in /sys, by which udev tells of it.
  public let systemPath: String
  /// Like `/dev/ttyACM0` or `/dev/bus/usb/001/004`.
  public let node: String
  /// The symbolic links that udev keeps to the node; none where no udevd runs.
  public var links: [String]
  /// The serial number as udev writes it: what is not a letter, a digit or one of `#+-.:=@_/`
  /// is `_` there. Without udevd it is the device's own.
  public let address: USBAddress
  /// The folder in /sys of the interface that a port belongs to; nil for a device.
  public var interface: String?
  /// Manufacturer and product in the device's own words.
  public var maker: String?
  public var product: String?
  /// Of the kernel, like `cdc_acm`.
  public var driver: String?
  /// A udev rule calls it a keychain: FOB_KEYCHAIN.
  public var isKeychain: Bool
  /// A udev rule keeps ModemManager away: ID_MM_DEVICE_IGNORE.
  public var isKeptFromModemManager: Bool

  public init(
    _ kind: Kind, systemPath: String, node: String, links: [String] = [], address: USBAddress,
    interface: String? = nil, maker: String? = nil, product: String? = nil, driver: String? = nil,
    isKeychain: Bool = false, isKeptFromModemManager: Bool = false
  ) {
    self.kind = kind
    self.systemPath = systemPath
    self.node = node
    self.links = links
    self.address = address
    self.interface = interface
    self.maker = maker
    self.product = product
    self.driver = driver
    self.isKeychain = isKeychain
    self.isKeptFromModemManager = isKeptFromModemManager
  }

  /// What to give to `--device`, by the name that stays: ids and serial number.
  public var spec: DeviceSpec {
    switch kind {
    case .port: DeviceSpec(.tty(address))
    case .device: DeviceSpec(.usb(address))
    }
  }
}
