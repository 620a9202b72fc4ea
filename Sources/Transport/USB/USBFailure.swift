import CUSB
import Glibc
import SerialIO

/// libusb's result codes as failures that name the operation, the device and a hint.
enum USBFailure {
  /// - Parameters:
  ///   - code: below 0, of `enum libusb_error`.
  ///   - device: as a spec names it, or its node.
  static func of(_ code: Int32, _ operation: String, _ device: String) -> IOFailure {
    let (errno, reason) = meaning(of: code)
    return IOFailure(operation, errno: errno, path: device, reason: reason)
  }

  /// open(2) of a node in /dev/bus/usb.
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
