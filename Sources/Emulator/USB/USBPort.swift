import SerialIO
public import USB

/// A port of the bus that a server shows, with the speed of the device there.
public struct USBPort: Hashable, Sendable {
  /// The number of the one bus of a server.
  static let bus: UInt32 = 1

  /// The server whose bus it is.
  public let server: USBIPServer
  /// The number of the port, from 1 on.
  public let number: Int
  /// Full or high; decides the size of bulk packets.
  public let speed: USBSpeed
  /// What the device there says that it is.
  public let kind: USBIdentity.Kind

  /// A number below 1 is a programmer's error. The port may be taken: plugging in finds out.
  public init(
    _ server: USBIPServer, number: Int = 1, speed: USBSpeed = .full,
    kind: USBIdentity.Kind = .keychain
  ) {
    precondition(number > 0, "the ports of a bus are counted from 1 on")
    self.server = server
    self.number = number
    self.speed = speed
    self.kind = kind
  }

  /// The name by which a host imports the device, as in `1-1`.
  public var busID: String { "\(Self.bus)-\(number)" }

  /// The spec of a keychain at this port, for programs on the host.
  /// - Parameter serial: the keychain's id as text.
  func spec(serial: String) -> DeviceSpec {
    let identity = kind.identity(of: serial)
    return DeviceSpec(
      .usb(
        USBAddress(vendor: identity.vendor, product: identity.product, serial: identity.serial)))
  }

  /// The record that USB/IP lists for a device at this port.
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
  /// The name by which a host imports the device, as in `1-1`.
  public var busID: String
  /// The bus speed: full or high.
  public var speed: String
  /// Whether a host has imported it.
  public var imported: Bool
  /// Whether that host has set its configuration.
  public var configured: Bool
  /// The line coding that the host has set, as in `115200 8N1`.
  public var line: String
  /// Whether the host has raised DTR.
  public var dtr: Bool
  /// Whether the host has raised RTS.
  public var rts: Bool
  /// Why the last connection was ended, if the host violated USB/IP; else nil.
  public var refused: String?

  enum CodingKeys: String, CodingKey {
    case busID = "bus_id"
    case speed, imported, configured, line, dtr, rts, refused
  }
}
