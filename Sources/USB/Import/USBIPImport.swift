/// OP_REQ_IMPORT and the reply: from then on the socket carries that device's URBs.
public struct USBIPImport: USBIPConversation {
  /// What the server gave; nil until it has.
  public private(set) var device: USBIPDeviceRecord?

  private var request: [UInt8]
  private var isAnswered = false

  /// - Parameter busID: as the server lists it, at most 31 bytes.
  public init(busID: String) {
    request = USBIPRequest.importDevice(busID: busID).bytes
  }

  public mutating func takeRequest() -> [UInt8] {
    defer { request = [] }
    return request
  }

  public var wanted: Int {
    if device != nil { return 0 }
    return isAnswered ? USBIPDeviceRecord.size : USBIPCode.operationSize
  }

  /// - Throws: `.refused` where the server does not have it, or another importer has; no byte
  ///   follows then.
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

/// An importer's half of a talk with a USB/IP server, as bytes: who has the socket sends what is to
/// be sent and then reads exactly as much as is wanted, until nothing is. No byte behind the answer
/// is ever read: it belongs to whoever gets the socket next.
public protocol USBIPConversation {
  /// What to send now, each piece once; empty where there is nothing.
  mutating func takeRequest() -> [UInt8]

  /// How many bytes to read next; 0: it is over.
  var wanted: Int { get }

  /// - Parameter bytes: as many as were ``wanted``.
  mutating func take(_ bytes: [UInt8]) throws(USBIPReplyError)
}

/// A reply that cannot be used.
public enum USBIPReplyError: Error, Hashable, Sendable, CustomStringConvertible {
  case version(UInt16)
  case code(UInt16)
  /// The server's status of the request, which is not 0.
  case refused(UInt32)
  case tooManyDevices(UInt32)
  /// Another number of bytes than was wanted.
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
