import CUSB
import FobBase
import Glibc
import SerialIO

/// One USB device, opened by libusb in a context of its own. Nothing of it is claimed.
///
/// The node is opened here and handed to libusb: so open(2) says itself why it refuses, and libusb
/// lists no devices, opens no others and starts no thread. A context for each device means that
/// none waits for the events of another.
///
/// Sendable unchecked because of the pointers alone: libusb's calls may come from any thread.
struct USBHandle: ~Copyable, @unchecked Sendable {
  /// As a spec names it, with its serial number.
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
    // libusb leaves open what it was given.
    _ = close(descriptor)
  }

  /// Leaves it open until the process ends: closing would wait for transfers that the device, or
  /// what stands for it, never gives back.
  consuming func abandon() { isAbandoned = true }

  /// One control transfer by the calling thread, from the device to the host.
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

  /// One control transfer by the calling thread, from the host to the device.
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
