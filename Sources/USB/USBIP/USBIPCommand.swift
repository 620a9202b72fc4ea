/// What a host's kernel says over the connection of an imported device.
public enum USBIPCommand: Hashable, Sendable {
  case submit(USBRequestBlock)
  /// The host takes the URB `victim` back.
  case unlink(sequence: UInt32, victim: UInt32)
}

/// One transfer that a host asks for: an URB, as Linux calls it.
public struct USBRequestBlock: Hashable, Sendable {
  /// By which its answer and its unlinking name it.
  public var sequence: UInt32
  /// 0...15.
  public var endpoint: UInt8
  /// To the host.
  public var isIn: Bool
  /// Bytes: of `data`, or the most that an answer may have.
  public var length: Int
  /// Of a control transfer; zeros otherwise.
  public var setup: SetupPacket
  /// What goes to the device; empty for IN.
  public var data: [UInt8]

  public init(
    sequence: UInt32, endpoint: UInt8, isIn: Bool, length: Int,
    setup: SetupPacket = SetupPacket(), data: [UInt8] = []
  ) {
    self.sequence = sequence
    self.endpoint = endpoint
    self.isIn = isIn
    self.length = length
    self.setup = setup
    self.data = data
  }
}

/// What the other end of a USB/IP connection said that it may not: the connection ends.
public struct USBIPFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// The numbers of USB/IP (the Linux kernel's Documentation/usb/usbip_protocol.rst).
public enum USBIPCode {
  /// Binary-coded decimal, 1.1.1.
  public static let version: UInt16 = 0x0111
  public static let requestDeviceList: UInt16 = 0x8005
  public static let replyDeviceList: UInt16 = 0x0005
  public static let requestImport: UInt16 = 0x8003
  public static let replyImport: UInt16 = 0x0003

  /// Version, code and status, before every request and reply.
  public static let operationSize = 8
  /// Before each URB and each answer.
  public static let headerSize = 48

  public static let submit: UInt32 = 1
  public static let unlink: UInt32 = 2
  public static let submitted: UInt32 = 3
  public static let unlinked: UInt32 = 4
}

/// What becomes of an URB, as Linux numbers it.
public enum USBIPStatus {
  public static let done: Int32 = 0
  /// ENOMEM: more URBs wait than the device keeps.
  public static let tooMany: Int32 = -12
  /// EPIPE: the endpoint answers STALL.
  public static let stalled: Int32 = -32
  /// EOVERFLOW: the packet is longer than what the URB has left.
  public static let overflow: Int32 = -75
  /// ECONNRESET: the host has taken it back.
  public static let unlinked: Int32 = -104
  /// ESHUTDOWN: its endpoint has been set up anew.
  public static let shutDown: Int32 = -108
}

/// The eight bytes before every request and reply that is no URB: version, code, status.
enum USBIPOperation {
  static func head(_ code: UInt16, status: UInt32 = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendNetwork(USBIPCode.version)
    bytes.appendNetwork(code)
    bytes.appendNetwork(status)
    return bytes
  }

  /// - Throws: unless it is this reply, and the server did what it was asked for.
  static func check(_ bytes: [UInt8], _ code: UInt16) throws(USBIPReplyError) {
    let (version, found, status) = bytes.withUnsafeBytes { raw in
      var reader = NetworkReader(raw)
      return (reader.next(UInt16.self), reader.next(UInt16.self), reader.next(UInt32.self))
    }
    guard version == USBIPCode.version else { throw .version(version) }
    guard found == code else { throw .code(found) }
    guard status == 0 else { throw .refused(status) }
  }
}

/// What a server answers.
public enum USBIPReply {
  /// - Parameter devices: those that can be imported, with their interfaces.
  public static func deviceList(
    _ devices: [(record: USBIPDeviceRecord, interfaces: [USBIPInterface])]
  ) -> [UInt8] {
    var bytes = USBIPOperation.head(USBIPCode.replyDeviceList)
    bytes.appendNetwork(UInt32(devices.count))
    for device in devices {
      var record = device.record
      // So many follow: a reader finds the next device by it.
      record.interfaces = UInt8(clamping: device.interfaces.count)
      record.write(to: &bytes)
      for interface in device.interfaces.prefix(Int(record.interfaces)) {
        interface.write(to: &bytes)
      }
    }
    return bytes
  }

  /// From here on the connection carries URBs.
  public static func imported(_ record: USBIPDeviceRecord) -> [UInt8] {
    var bytes = USBIPOperation.head(USBIPCode.replyImport)
    record.write(to: &bytes)
    return bytes
  }

  /// No such device, or another has it: the header alone.
  public static var importRefused: [UInt8] {
    USBIPOperation.head(USBIPCode.replyImport, status: 1)
  }
}
