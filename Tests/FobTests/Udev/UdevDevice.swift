/// A device as udev sees it when our rules begin, and all that it stands in.
struct UdevDevice {
  let kernel: String
  let subsystem: String
  var attributes: [String: String] = [:]
  /// With those that Debian's rules before ours have imported.
  var properties: [String: String] = [:]
  /// The nearest first.
  var parents: [UdevDevice] = []

  /// A USB device with its attributes, as `1-1`.
  static func usb(
    _ vendor: String, _ product: String, _ words: [String: String], serial: String?
  ) -> UdevDevice {
    var attributes = words
    attributes["idVendor"] = vendor
    attributes["idProduct"] = product
    attributes["serial"] = serial
    var device = UdevDevice(kernel: "1-1", subsystem: "usb", attributes: attributes)
    device.properties = ["DEVTYPE": "usb_device", "MAJOR": "189"]
    // What usb_id makes of it.
    device.properties["ID_SERIAL_SHORT"] = serial
    device.parents = [
      UdevDevice(
        kernel: "usb1", subsystem: "usb",
        attributes: [
          "idVendor": "1d6b", "idProduct": "0002", "serial": "0000", "product": "Hub",
          "manufacturer": "Linux",
        ])
    ]
    return device
  }

  /// Its first interface, which no rule of ours is for.
  var interface: UdevDevice {
    UdevDevice(
      kernel: "1-1:1.0", subsystem: "usb", attributes: ["bInterfaceClass": "02"],
      properties: ["DEVTYPE": "usb_interface"], parents: [self] + parents)
  }

  /// Its serial port by cdc_acm.
  var tty: UdevDevice {
    var tty = UdevDevice(
      kernel: "ttyACM0", subsystem: "tty", properties: ["MAJOR": "166"],
      parents: [interface] + interface.parents)
    tty.properties["ID_SERIAL_SHORT"] = properties["ID_SERIAL_SHORT"]
    return tty
  }

  /// Its serial converter, as ftdi_sio makes it.
  var converter: UdevDevice {
    UdevDevice(
      kernel: "ttyUSB0", subsystem: "usb-serial", attributes: ["latency_timer": "16"],
      parents: [interface] + interface.parents)
  }
}
