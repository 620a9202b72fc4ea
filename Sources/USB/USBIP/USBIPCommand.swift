/// A command of the host's kernel on the connection of an imported device.
public enum USBIPCommand: Hashable, Sendable {
  case submit(USBRequestBlock)
  /// The host takes the URB `victim` back.
  case unlink(sequence: UInt32, victim: UInt32)
}

/// One transfer that a host asks for: an URB, as Linux calls it.
public struct USBRequestBlock: Hashable, Sendable {
  /// Names the URB in its answer and in its unlinking.
  public var sequence: UInt32
  /// Endpoint number without its direction, 0 to 15.
  public var endpoint: UInt8
  /// Whether bytes go to the host.
  public var isIn: Bool
  /// Bytes: the count of `data` (OUT), or the most that the answer may have (IN).
  public var length: Int
  /// The set-up packet of a control transfer; zeros for any other.
  public var setup: SetupPacket
  /// The bytes for the device; empty for IN.
  public var data: [UInt8]

  /// Without set-up packet and data: a bulk or interrupt IN transfer.
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

/// A violation of USB/IP by the other end, after which the connection must end.
public struct USBIPFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the other end sent, as a noun: `the endpoint 16`.
  public let description: String

  /// - Parameter description: what the other end sent, as a noun.
  public init(_ description: String) { self.description = description }
}

/// The numbers of USB/IP (the Linux kernel's Documentation/usb/usbip_protocol.rst).
public enum USBIPCode {
  /// USB/IP 1.1.1, binary-coded decimal, before every operation.
  public static let version: UInt16 = 0x0111
  /// OP_REQ_DEVLIST.
  public static let requestDeviceList: UInt16 = 0x8005
  /// OP_REP_DEVLIST.
  public static let replyDeviceList: UInt16 = 0x0005
  /// OP_REQ_IMPORT.
  public static let requestImport: UInt16 = 0x8003
  /// OP_REP_IMPORT.
  public static let replyImport: UInt16 = 0x0003

  /// Bytes of version, code and status, before every request and reply.
  public static let operationSize = 8
  /// Bytes of the header before each URB and each answer.
  public static let headerSize = 48

  /// USBIP_CMD_SUBMIT, host to device.
  public static let submit: UInt32 = 1
  /// USBIP_CMD_UNLINK, host to device.
  public static let unlink: UInt32 = 2
  /// USBIP_RET_SUBMIT, the answer to an URB.
  public static let submitted: UInt32 = 3
  /// USBIP_RET_UNLINK, the answer to an unlinking.
  public static let unlinked: UInt32 = 4
}

/// The result of an URB: 0 or a negative errno of Linux.
public enum USBIPStatus {
  /// Success. In RET_UNLINK: the URB was not waiting any more.
  public static let done: Int32 = 0
  /// ENOMEM: more URBs wait than the device keeps.
  public static let tooMany: Int32 = -12
  /// EPIPE: the endpoint answers STALL.
  public static let stalled: Int32 = -32
  /// EOVERFLOW: the packet is longer than what the URB has left.
  public static let overflow: Int32 = -75
  /// ECONNRESET: the host has taken the URB back. In RET_UNLINK only.
  public static let unlinked: Int32 = -104
  /// ESHUTDOWN: the endpoint was reset.
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

  /// Checks the head of a reply.
  /// - Throws: for another version or code, and for a status other than 0.
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

/// A server's replies, before any URB.
public enum USBIPReply {
  /// OP_REP_DEVLIST.
  /// - Parameter devices: those that can be imported, with their interfaces, of which at most 255
  ///   are sent.
  public static func deviceList(
    _ devices: [(record: USBIPDeviceRecord, interfaces: [USBIPInterface])]
  ) -> [UInt8] {
    var bytes = USBIPOperation.head(USBIPCode.replyDeviceList)
    bytes.appendNetwork(UInt32(devices.count))
    for device in devices {
      var record = device.record
      // A reader finds the next device by this count.
      record.interfaces = UInt8(clamping: device.interfaces.count)
      record.write(to: &bytes)
      for interface in device.interfaces.prefix(Int(record.interfaces)) {
        interface.write(to: &bytes)
      }
    }
    return bytes
  }

  /// OP_REP_IMPORT. Behind it the connection carries URBs.
  public static func imported(_ record: USBIPDeviceRecord) -> [UInt8] {
    var bytes = USBIPOperation.head(USBIPCode.replyImport)
    record.write(to: &bytes)
    return bytes
  }

  /// OP_REP_IMPORT with status 1, without a record: there is no such device, or another importer
  /// has it.
  public static var importRefused: [UInt8] {
    USBIPOperation.head(USBIPCode.replyImport, status: 1)
  }
}
