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
