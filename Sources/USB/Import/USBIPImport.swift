/// Imports a device: OP_REQ_IMPORT and its reply. From then on the socket carries the device's
/// URBs.
public struct USBIPImport: USBIPConversation {
  /// The record of the imported device; nil until the server has replied.
  public private(set) var device: USBIPDeviceRecord?

  private var request: [UInt8]
  private var isAnswered = false

  /// - Parameter busID: as the server lists it, at most 31 bytes.
  public init(busID: String) {
    request = USBIPRequest.importDevice(busID: busID).bytes
  }

  /// OP_REQ_IMPORT, once; empty from then on.
  public mutating func takeRequest() -> [UInt8] {
    defer { request = [] }
    return request
  }

  /// The size of the header, then of the record, bytes; 0 when the device is imported.
  public var wanted: Int {
    if device != nil { return 0 }
    return isAnswered ? USBIPDeviceRecord.size : USBIPCode.operationSize
  }

  /// Reads the header, then the record.
  /// - Throws: `.refused` where the server does not have the device, or another importer has it; no
  ///   byte follows then.
  public mutating func take(_ bytes: [UInt8]) throws(USBIPReplyError) {
    guard wanted > 0, bytes.count == wanted else { throw .length }
    if isAnswered {
      device = bytes.withUnsafeBytes { USBIPDeviceRecord($0) }
    } else {
      try USBIPOperation.check(bytes, USBIPCode.replyImport)
      isAnswered = true
    }
  }
}

/// An importer's half of a conversation with a USB/IP server, without I/O. The owner of the socket
/// sends ``takeRequest()`` and reads exactly ``wanted`` bytes, again and again until ``wanted`` is
/// 0. It never reads a byte behind the answer: that belongs to the next user of the socket.
public protocol USBIPConversation {
  /// The bytes to send now, each once; empty if there are none.
  mutating func takeRequest() -> [UInt8]

  /// How many bytes to read next; 0 at the end of the conversation.
  var wanted: Int { get }

  /// Takes the next part of the reply.
  /// - Parameter bytes: exactly ``wanted`` of them.
  mutating func take(_ bytes: [UInt8]) throws(USBIPReplyError)
}

/// Why a server's reply cannot be used.
public enum USBIPReplyError: Error, Hashable, Sendable, CustomStringConvertible {
  case version(UInt16)
  case code(UInt16)
  /// The server's status of the request, which is not 0.
  case refused(UInt32)
  case tooManyDevices(UInt32)
  /// The caller gave another number of bytes than ``USBIPConversation/wanted``.
  case length
  /// An imported device answered something else than what it was asked, or too much.
  case answer

  public var description: String {
    switch self {
    case .version(let number): "it speaks version 0x\(String(number, radix: 16)) of USB/IP"
    case .code(let number): "it answers 0x\(String(number, radix: 16)), which was not asked"
    case .refused(let status): "it refuses (status \(status))"
    case .tooManyDevices(let count): "it lists \(count) devices"
    case .length: "its answer has a wrong length"
    case .answer: "it answers another request"
    }
  }
}
