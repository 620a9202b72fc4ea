import CUSB
import Glibc
import SerialIO

extension USBHandle {
  /// - Throws: `IOFailure` with ENXIO where the device has no serial line.
  func serialLine() throws(IOFailure) -> CDCFunction {
    var configuration: UnsafeMutablePointer<libusb_config_descriptor>?
    let code = libusb_get_active_config_descriptor(libusb_get_device(pointer), &configuration)
    guard code == 0, let configuration else {
      throw USBFailure.of(code, "read the configuration of", name)
    }
    defer { libusb_free_config_descriptor(configuration) }
    guard let line = CDCFunction(Self.interfaces(of: configuration.pointee)) else {
      throw IOFailure(
        "open", errno: ENXIO, path: name,
        reason: "it has no serial line: no CDC data interface with a bulk endpoint each way")
    }
    return line
  }

  /// Takes both interfaces of a line from the kernel's driver and raises DTR and RTS.
  ///
  /// libusb gives them back to the driver when it releases them (``giveBack(_:)``), and so mends
  /// what a killed program left without one. cdc_acm lets go of both when it loses either; to take
  /// the second is then to take what is free.
  func claim(_ line: CDCFunction) throws(IOFailure) {
    _ = libusb_set_auto_detach_kernel_driver(pointer, 1)
    if let control = line.control { try claim(control) }
    do throws(IOFailure) {
      try claim(line.data)
      try raiseLines(line)
    } catch {
      release(line)
      throw error
    }
  }

  /// Lowers DTR, and gives the interfaces back. Of a device that has been unplugged all that is
  /// refused, which is as well.
  ///
  /// One that leaves the request without an answer does not get the kernel's driver again: cdc_acm
  /// asks in its turn, and that would keep this process for 5 s.
  func giveBack(_ line: CDCFunction) {
    do throws(IOFailure) {
      try setLines(line, 0, patience: Self.goodbye)
    } catch {
      if error.errno == ETIMEDOUT { _ = libusb_set_auto_detach_kernel_driver(pointer, 0) }
    }
    release(line)
  }

  /// Milliseconds that the device may take for one request, and for the last one.
  private static let patience: UInt32 = 500
  private static let goodbye: UInt32 = 250

  private func claim(_ interface: UInt8) throws(IOFailure) {
    let code = libusb_claim_interface(pointer, Int32(interface))
    guard code == 0 else { throw USBFailure.of(code, "claim interface \(interface) of", name) }
  }

  /// The data interface first: cdc_acm takes both when it is offered the other, or none.
  private func release(_ line: CDCFunction) {
    _ = libusb_release_interface(pointer, Int32(line.data))
    if let control = line.control { _ = libusb_release_interface(pointer, Int32(control)) }
  }

  /// A device that knows neither request, or is slow with them, is a line all the same.
  private func raiseLines(_ line: CDCFunction) throws(IOFailure) {
    guard let control = line.control else { return }
    do throws(IOFailure) {
      // SET_LINE_CODING (PSTN 1.2, 6.3.10): 115,200 baud, one stop bit, no parity, eight bits.
      try tell(
        0x21, 0x20, index: UInt16(control), [0x00, 0xC2, 0x01, 0x00, 0, 0, 8],
        patience: Self.patience, "set the line coding of")
      try setLines(line, 3, patience: Self.patience)
    } catch {
      if error.errno == ENODEV { throw error }
    }
  }

  /// SET_CONTROL_LINE_STATE (PSTN 1.2, 6.3.12): bit 0 is DTR, bit 1 RTS.
  private func setLines(
    _ line: CDCFunction, _ state: UInt16, patience: UInt32
  ) throws(IOFailure) {
    guard let control = line.control else { return }
    try tell(
      0x21, 0x22, value: state, index: UInt16(control), patience: patience,
      "set the modem lines of")
  }

  private static func interfaces(of configuration: libusb_config_descriptor) -> [USBInterface] {
    UnsafeBufferPointer(start: configuration.interface, count: Int(configuration.bNumInterfaces))
      .compactMap { interface in
        guard interface.num_altsetting > 0, let setting = interface.altsetting?.pointee else {
          return nil
        }
        let endpoints = UnsafeBufferPointer(
          start: setting.endpoint, count: Int(setting.bNumEndpoints))
        return USBInterface(
          number: setting.bInterfaceNumber, classCode: setting.bInterfaceClass,
          subclass: setting.bInterfaceSubClass,
          endpoints: endpoints.map {
            USBInterface.Endpoint(
              address: $0.bEndpointAddress, attributes: $0.bmAttributes,
              packet: $0.wMaxPacketSize)
          },
          extra: Array(
            UnsafeBufferPointer(start: setting.extra, count: Int(setting.extra_length))))
      }
  }
}
