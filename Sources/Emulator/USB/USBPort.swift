import SerialIO
public import USB

/// A port of the bus that a server shows, and how fast what is plugged in there speaks.
public struct USBPort: Hashable, Sendable {
  /// Of the one bus that a server has.
  static let bus: UInt32 = 1

  public let server: USBIPServer
  /// From 1 on.
  public let number: Int
  public let speed: USBSpeed

  public init(_ server: USBIPServer, number: Int = 1, speed: USBSpeed = .full) {
    precondition(number > 0, "the ports of a bus are counted from 1 on")
    self.server = server
    self.number = number
    self.speed = speed
  }

  /// By which a host imports it, as in `1-1`.
  public var busID: String { "\(Self.bus)-\(number)" }

  /// What a host's programs know a keychain there by.
  func spec(serial: String) -> DeviceSpec {
    let identity = USBIdentity.keychain(serial: serial)
    return DeviceSpec(
      .usb(USBAddress(vendor: identity.vendor, product: identity.product, serial: serial)))
  }

  /// - Parameter identity: of the device that is plugged in.
  func record(of identity: USBIdentity) -> USBIPDeviceRecord {
    USBIPDeviceRecord(
      path: "/sys/devices/fob/usb\(Self.bus)/\(busID)", busID: busID, busNumber: Self.bus,
      deviceNumber: UInt32(number) + 1, speed: speed, vendor: identity.vendor,
      product: identity.product, release: identity.release,
      deviceClass: KeychainDescriptors.deviceClass, configuration: 0, configurations: 1,
      interfaces: UInt8(KeychainDescriptors.interfaces.count))
  }
}

/// The USB part of an emulated keychain at one moment, as the control socket shows it.
public struct USBState: Codable, Hashable, Sendable {
  /// By which a host imports it, as in `1-1`.
  public var busID: String
  /// full or high.
  public var speed: String
  /// A host has imported it.
  public var imported: Bool
  /// That host has set its configuration.
  public var configured: Bool
  /// As in `115200 8N1`.
  public var line: String
  public var dtr: Bool
  public var rts: Bool
  /// Why the last connection was ended, where the host had said what none may say.
  public var refused: String?

  enum CodingKeys: String, CodingKey {
    case busID = "bus_id"
    case speed, imported, configured, line, dtr, rts, refused
  }
}
