import CUSB
import FobBase
import Glibc
import SerialIO

/// One USB device, opened by libusb in a context of its own. Nothing of it is claimed.
///
/// The node is opened here and handed to libusb, so that open(2)'s errno tells a refusal, and
/// libusb lists no devices, opens no others and starts no thread. Each device has a context of its
/// own, so none waits for the events of another.
///
/// Sendable unchecked because of the pointers alone: libusb's calls may come from any thread.
struct USBHandle: ~Copyable, @unchecked Sendable {
  /// The device as a spec names it, with its serial number.
  let name: String
  let context: OpaquePointer
  let pointer: OpaquePointer
  private let descriptor: Int32
  private var isAbandoned = false

  /// - Parameter node: as in `/dev/bus/usb/001/004`.
  init(_ address: USBAddress, node: String) throws(IOFailure) {
    let name = "usb:\(address)"
    let descriptor: Int32
    do {
      descriptor = try Syscall.run("open", node) { open(node, O_RDWR | O_CLOEXEC) }
    } catch {
      throw USBFailure.opening(name, error)
    }
    _ = Self.discoveryIsLeftOut
    var context: OpaquePointer?
    var pointer: OpaquePointer?
    var code = libusb_init(&context)
    if code == 0 { code = libusb_wrap_sys_device(context, Int(descriptor), &pointer) }
    guard code == 0, let context, let pointer else {
      if let context { libusb_exit(context) }
      _ = close(descriptor)
      throw USBFailure.of(code, "open", name)
    }
    self.name = name
    self.context = context
    self.pointer = pointer
    self.descriptor = descriptor
  }

  deinit {
    if isAbandoned { return }
    libusb_close(pointer)
    libusb_exit(context)
    // libusb does not close a descriptor that it was given.
    _ = close(descriptor)
  }

  /// Leaves the device open until the process ends: closing would wait for transfers that it never
  /// gives back.
  consuming func abandon() { isAbandoned = true }

  /// Makes one control transfer from the device to the host; blocks the calling thread.
  /// - Parameters:
  ///   - type: bmRequestType without its direction.
  ///   - room: the most bytes that may come.
  ///   - patience: in milliseconds.
  func ask(
    _ type: UInt8, _ request: UInt8, room: Int, patience: UInt32, _ operation: String
  ) throws(IOFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: room)
    let count = libusb_control_transfer(
      pointer, type | UInt8(LIBUSB_ENDPOINT_IN.rawValue), request, 0, 0, &bytes, UInt16(room),
      patience)
    guard count >= 0 else { throw USBFailure.of(count, operation, name) }
    return Array(bytes.prefix(Int(count)))
  }

  /// Makes one control transfer from the host to the device; blocks the calling thread.
  func tell(
    _ type: UInt8, _ request: UInt8, value: UInt16 = 0, index: UInt16 = 0, _ bytes: [UInt8] = [],
    patience: UInt32, _ operation: String
  ) throws(IOFailure) {
    var bytes = bytes
    let count = libusb_control_transfer(
      pointer, type, request, value, index, &bytes, UInt16(bytes.count), patience)
    guard count >= 0 else { throw USBFailure.of(count, operation, name) }
  }

  private static let discoveryIsLeftOut: Void = { _ = cusb_leave_discovery_out() }()
}

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
  /// libusb gives them back to the driver when it releases them (``giveBack(_:)``); this also
  /// repairs a device that a killed program left without one. cdc_acm lets go of both when it loses
  /// either, so the second is then free.
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

  /// Lowers DTR and RTS, and gives the interfaces back. An unplugged device refuses all that, which
  /// is harmless.
  ///
  /// A device that does not answer the request does not get the kernel's driver again: cdc_acm
  /// would ask it in turn, and keep this process for 5 s.
  func giveBack(_ line: CDCFunction) {
    do throws(IOFailure) {
      try setLines(line, 0, patience: Self.goodbye)
    } catch {
      if error.errno == ETIMEDOUT { _ = libusb_set_auto_detach_kernel_driver(pointer, 0) }
    }
    release(line)
  }

  /// How long the device may take for one request, and for the last one, in milliseconds.
  private static let patience: UInt32 = 500
  private static let goodbye: UInt32 = 250

  private func claim(_ interface: UInt8) throws(IOFailure) {
    let code = libusb_claim_interface(pointer, Int32(interface))
    guard code == 0 else { throw USBFailure.of(code, "claim interface \(interface) of", name) }
  }

  /// The data interface goes first: cdc_acm takes both or none when it is offered the control
  /// interface.
  private func release(_ line: CDCFunction) {
    _ = libusb_release_interface(pointer, Int32(line.data))
    if let control = line.control { _ = libusb_release_interface(pointer, Int32(control)) }
  }

  /// Sets the line coding and raises both wires. A device that does not know these requests, or is
  /// slow with them, still works as a line.
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

/// Turns libusb's result codes into failures that name the operation, the device and a hint.
enum USBFailure {
  /// - Parameters:
  ///   - code: below 0, of `enum libusb_error`.
  ///   - device: as a spec names it, or its node.
  static func of(_ code: Int32, _ operation: String, _ device: String) -> IOFailure {
    let (errno, reason) = meaning(of: code)
    return IOFailure(operation, errno: errno, path: device, reason: reason)
  }

  /// The failure of open(2) on a node in /dev/bus/usb.
  static func opening(_ device: String, _ failure: IOFailure) -> IOFailure {
    let reason: String? =
      switch failure.errno {
      case EACCES, EPERM: PortUser.current.refusal(of: failure.path) ?? permission
      case ENOENT, ENODEV: unplugged
      case EBUSY: busy
      default: nil
      }
    return IOFailure("open", errno: failure.errno, path: device, reason: reason)
  }

  static let permission =
    "permission denied: your user must be in the group plugdev, and fob's udev rule installed"
    + " (make install-udev); then log in and plug the device in again"
  static let busy =
    "another program has it open by libusb: a second fob, or a virtual machine that was given it"
  static let unplugged = "it has been unplugged"

  private static func meaning(of code: Int32) -> (errno: Int32, reason: String?) {
    switch libusb_error(code) {
    case LIBUSB_ERROR_INVALID_PARAM: (EINVAL, nil)
    case LIBUSB_ERROR_ACCESS: (EACCES, permission)
    case LIBUSB_ERROR_NO_DEVICE: (ENODEV, unplugged)
    case LIBUSB_ERROR_NOT_FOUND: (ENOENT, "the device has no such part")
    case LIBUSB_ERROR_BUSY: (EBUSY, busy)
    case LIBUSB_ERROR_TIMEOUT: (ETIMEDOUT, "it did not answer in time; plug it in again")
    case LIBUSB_ERROR_OVERFLOW: (EOVERFLOW, "it sent more than it was asked for")
    case LIBUSB_ERROR_PIPE: (EPIPE, "the device refuses it (stall); is its firmware another?")
    case LIBUSB_ERROR_INTERRUPTED: (EINTR, nil)
    case LIBUSB_ERROR_NO_MEM: (ENOMEM, nil)
    case LIBUSB_ERROR_NOT_SUPPORTED: (EOPNOTSUPP, nil)
    case LIBUSB_ERROR_IO: (EIO, nil)
    default: (EIO, "libusb says \(code)")
    }
  }
}
