/// OP_REQ_DEVLIST and the reply: which devices a server has to give.
public struct USBIPDeviceList: USBIPConversation {
  /// More than a server has ports: a reply that claims more is not read.
  public static let maxDevices: UInt32 = 1_024

  public private(set) var devices: [USBIPDeviceRecord] = []

  private enum Part { case header, count, record, interfaces, end }

  private var request = USBIPRequest.deviceList.bytes
  private var part = Part.header
  private var left: UInt32 = 0

  public init() {}

  public mutating func takeRequest() -> [UInt8] {
    defer { request = [] }
    return request
  }

  public var wanted: Int {
    switch part {
    case .header: USBIPCode.operationSize
    case .count: 4
    case .record: USBIPDeviceRecord.size
    case .interfaces: Int(devices.last?.interfaces ?? 0) * USBIPInterface.size
    case .end: 0
    }
  }

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

  /// The next record, where there is one.
  private mutating func begin() { part = left > 0 ? .record : .end }
}
