/// Asks a server which devices it exports: OP_REQ_DEVLIST and its reply.
public struct USBIPDeviceList: USBIPConversation {
  /// The most devices of one reply, more than a server has ports. A longer list is refused.
  public static let maxDevices: UInt32 = 1_024

  /// The devices read so far; complete when ``wanted`` is 0.
  public private(set) var devices: [USBIPDeviceRecord] = []

  private enum Part { case header, count, record, interfaces, end }

  private var request = USBIPRequest.deviceList.bytes
  private var part = Part.header
  private var left: UInt32 = 0

  /// A conversation that has not begun.
  public init() {}

  /// OP_REQ_DEVLIST, once; empty from then on.
  public mutating func takeRequest() -> [UInt8] {
    defer { request = [] }
    return request
  }

  /// The size of the next part of the reply, bytes; 0 at the end of the list.
  public var wanted: Int {
    switch part {
    case .header: USBIPCode.operationSize
    case .count: 4
    case .record: USBIPDeviceRecord.size
    case .interfaces: Int(devices.last?.interfaces ?? 0) * USBIPInterface.size
    case .end: 0
    }
  }

  /// Reads the next part of the reply.
  /// - Throws: `.tooManyDevices` over ``maxDevices``, `.length` unless `bytes` has ``wanted``
  ///   bytes, or what is wrong with the header.
  public mutating func take(_ bytes: [UInt8]) throws(USBIPReplyError) {
    guard bytes.count == wanted else { throw .length }
    switch part {
    case .header:
      try USBIPOperation.check(bytes, USBIPCode.replyDeviceList)
      part = .count
    case .count:
      left = bytes.withUnsafeBytes { raw in
        var reader = NetworkReader(raw)
        return reader.next()
      }
      guard left <= Self.maxDevices else { throw .tooManyDevices(left) }
      begin()
    case .record:
      guard let record = bytes.withUnsafeBytes({ USBIPDeviceRecord($0) }) else { throw .length }
      devices.append(record)
      left -= 1
      if record.interfaces > 0 { part = .interfaces } else { begin() }
    case .interfaces: begin()
    case .end: throw .length
    }
  }

  /// Goes on to the next record, or to the end.
  private mutating func begin() { part = left > 0 ? .record : .end }
}
