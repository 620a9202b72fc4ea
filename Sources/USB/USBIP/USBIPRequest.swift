/// A client's request to a server, before any URB.
public enum USBIPRequest: Hashable, Sendable {
  case deviceList
  case importDevice(busID: String)

  /// The request as it is sent: 8 bytes for a list, 40 for an import.
  public var bytes: [UInt8] {
    switch self {
    case .deviceList: return USBIPOperation.head(USBIPCode.requestDeviceList)
    case .importDevice(let busID):
      var bytes = USBIPOperation.head(USBIPCode.requestImport)
      bytes.appendText(busID, field: USBIPDeviceRecord.busIDField)
      return bytes
    }
  }
}

/// The server's end of a request. It takes no byte behind the request: the URBs that follow an
/// import on the same socket are for another reader.
public struct USBIPHandshake: Sendable {
  private var bytes: [UInt8] = []
  private var size = USBIPCode.operationSize

  /// Waits for the first byte of a request.
  public init() {}

  /// The most bytes that the next ``take(_:)`` may get.
  public var missing: Int { size - bytes.count }

  /// Takes bytes and returns the request once it is whole; nil before.
  /// - Parameter new: at most ``missing`` bytes.
  /// - Throws: `USBIPFailure` for another version or an unknown request.
  public mutating func take(_ new: UnsafeRawBufferPointer) throws(USBIPFailure) -> USBIPRequest? {
    precondition(new.count <= missing, "who reads has asked how much is missing")
    bytes += new
    guard missing == 0 else { return nil }
    let (version, code) = bytes.withUnsafeBytes { bytes in
      var r = NetworkReader(bytes)
      return (r.next(UInt16.self), r.next(UInt16.self))
    }
    guard version == USBIPCode.version else {
      throw USBIPFailure("USB/IP version \(version >> 8).\(version >> 4 & 15).\(version & 15)")
    }
    switch code {
    case USBIPCode.requestDeviceList: return .deviceList
    case USBIPCode.requestImport:
      size = USBIPCode.operationSize + USBIPDeviceRecord.busIDField
      guard missing == 0 else { return nil }
      return bytes.withUnsafeBytes { bytes in
        var r = NetworkReader(bytes)
        r.skip(USBIPCode.operationSize)
        return .importDevice(busID: r.text(field: USBIPDeviceRecord.busIDField))
      }
    default: throw USBIPFailure("request \(code)")
    }
  }
}
