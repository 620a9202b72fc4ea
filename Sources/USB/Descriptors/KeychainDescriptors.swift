/// The descriptors of a keychain: one configuration with one serial port, CDC-ACM (USB 2.0, chapter
/// 9; CDC 1.2; CDC PSTN 1.2).
public struct KeychainDescriptors: Sendable {
  /// bInterfaceNumber of the interface that takes class requests (CDC communications, ACM).
  public static let communicationInterface: UInt8 = 0
  /// bInterfaceNumber of the interface with both bulk endpoints (CDC data).
  public static let dataInterface: UInt8 = 1
  /// Endpoint number of bulk OUT and bulk IN.
  public static let dataEndpoint: UInt8 = 1
  /// Endpoint number of the interrupt IN, which carries SERIAL_STATE.
  public static let notificationEndpoint: UInt8 = 2
  /// wMaxPacketSize of the interrupt endpoint: a whole SERIAL_STATE.
  static let notificationPacket = 16
  static let controlPacket: UInt8 = 64
  /// The classes of both interfaces, in order.
  public static let interfaces = [
    USBIPInterface(interfaceClass: 2, interfaceSubclass: 2, interfaceProtocol: 0),
    USBIPInterface(interfaceClass: 0x0A, interfaceSubclass: 0, interfaceProtocol: 0),
  ]
  /// bDeviceClass: CDC, so that a host looks at the interfaces.
  public static let deviceClass: UInt8 = 2

  enum Kind: UInt8 {
    case device = 1
    case configuration, string, interface, endpoint, qualifier, otherSpeed
    case classInterface = 0x24
  }

  /// The ids and texts that the descriptors carry.
  public let identity: USBIdentity
  /// Decides the packet size of the bulk endpoints, and whether there is a qualifier.
  public let speed: USBSpeed

  /// The descriptors of one device, as it enumerates at this speed.
  public init(_ identity: USBIdentity, speed: USBSpeed) {
    self.identity = identity
    self.speed = speed
  }

  /// The answer to GET_DESCRIPTOR; nil means STALL. A full-speed device has no qualifier, and a USB
  /// 2.0 device has no BOS.
  /// - Parameter language: wIndex; only strings look at it.
  func descriptor(_ kind: UInt8, index: UInt8, language: UInt16) -> [UInt8]? {
    switch Kind(rawValue: kind) {
    case .device where index == 0: device
    case .configuration where index == 0: configuration(.configuration, at: speed)
    case .qualifier where index == 0 && speed == .high: qualifier
    case .otherSpeed where index == 0 && speed == .high: configuration(.otherSpeed, at: .full)
    case .string: string(index, language: language)
    default: nil
    }
  }

  private var device: [UInt8] {
    [18, Kind.device.rawValue, 0x00, 0x02, Self.deviceClass, 0, 0, Self.controlPacket]
      + Self.little(identity.vendor) + Self.little(identity.product)
      + Self.little(identity.release) + [1, 2, 3, 1]
  }

  private var qualifier: [UInt8] {
    [10, Kind.qualifier.rawValue, 0x00, 0x02, Self.deviceClass, 0, 0, Self.controlPacket, 1, 0]
  }

  private func configuration(_ kind: Kind, at speed: USBSpeed) -> [UInt8] {
    let (communication, data) = (Self.communicationInterface, Self.dataInterface)
    let bulk = Self.little(UInt16(speed.bulkPacket))
    let functional = Kind.classInterface.rawValue
    // 16 ms: in frames at full speed, as a power of two of microframes at high speed.
    let interval: UInt8 = speed == .full ? 16 : 8
    let parts: [[UInt8]] = [
      [9, Kind.interface.rawValue, communication, 0, 1, 2, 2, 0, 0],
      // Header: CDC 1.10. Call management: none. ACM: line coding, line state, break. Union.
      [5, functional, 0x00, 0x10, 0x01],
      [5, functional, 0x01, 0x00, data],
      [4, functional, 0x02, 0x06],
      [5, functional, 0x06, communication, data],
      [7, Kind.endpoint.rawValue, 0x80 | Self.notificationEndpoint, 3]
        + Self.little(UInt16(Self.notificationPacket)) + [interval],
      [9, Kind.interface.rawValue, data, 0, 2, 0x0A, 0, 0, 0],
      [7, Kind.endpoint.rawValue, Self.dataEndpoint, 2] + bulk + [0],
      [7, Kind.endpoint.rawValue, 0x80 | Self.dataEndpoint, 2] + bulk + [0],
    ]
    let body = parts.flatMap { $0 }
    // One configuration, number 1; powered by the bus, 100 mA.
    return [9, kind.rawValue] + Self.little(UInt16(9 + body.count)) + [2, 1, 0, 0x80, 50] + body
  }

  private func string(_ index: UInt8, language: UInt16) -> [UInt8]? {
    let english: UInt16 = 0x0409
    guard index > 0 else { return [4, Kind.string.rawValue] + Self.little(english) }
    guard language == english else { return nil }
    switch index {
    case 1: return Self.string(identity.manufacturer)
    case 2: return Self.string(identity.name)
    case 3: return Self.string(identity.serial)
    default: return nil
    }
  }

  private static func string(_ text: String) -> [UInt8] {
    let units = text.utf16.prefix(126)
    return [UInt8(2 + 2 * units.count), Kind.string.rawValue] + units.flatMap(little)
  }

  private static func little(_ value: UInt16) -> [UInt8] {
    [UInt8(value & 0xFF), UInt8(value >> 8)]
  }
}
