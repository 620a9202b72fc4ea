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
