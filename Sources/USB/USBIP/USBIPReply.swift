/// What a server answers.
public enum USBIPReply {
  /// - Parameter devices: those that can be imported, with their interfaces.
  public static func deviceList(
    _ devices: [(record: USBIPDeviceRecord, interfaces: [USBIPInterface])]
  ) -> [UInt8] {
    var bytes = head(USBIPCode.replyDeviceList, status: 0)
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
    var bytes = head(USBIPCode.replyImport, status: 0)
    record.write(to: &bytes)
    return bytes
  }

  /// No such device, or another has it: the header alone.
  public static var importRefused: [UInt8] { head(USBIPCode.replyImport, status: 1) }

  private static func head(_ code: UInt16, status: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendNetwork(USBIPCode.version)
    bytes.appendNetwork(code)
    bytes.appendNetwork(status)
    return bytes
  }
}
