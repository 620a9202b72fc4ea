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
