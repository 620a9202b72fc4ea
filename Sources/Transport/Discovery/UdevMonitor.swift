import CUdev
import Glibc
import SerialIO

/// Hears from udevd what comes and goes, after the rules were applied: the kernel's own events
/// come some 70 ms before links and permissions.
struct UdevMonitor: ~Copyable {
  private let handle: OpaquePointer

  /// - Throws: what netlink says; a container may be allowed none.
  init(
    _ kind: AttachedDevice.Kind, in context: borrowing UdevContext
  ) throws(IOFailure) {
    guard let handle = udev_monitor_new_from_netlink(context.handle, "udev") else {
      throw IOFailure("listen to", errno: errno, path: "udev")
    }
    var code = udev_monitor_filter_add_match_subsystem_devtype(handle, kind.subsystem, kind.type)
    if code >= 0 { code = udev_monitor_enable_receiving(handle) }
    guard code >= 0 else {
      udev_monitor_unref(handle)
      throw IOFailure("listen to", errno: -code, path: "udev")
    }
    self.handle = handle
  }

  deinit { udev_monitor_unref(handle) }

  /// Readable when there is something to take.
  var descriptor: Int32 { udev_monitor_get_fd(handle) }

  enum Taken: ~Copyable {
    case device(UdevDevice)
    case nothing
    /// More came than the socket holds.
    case lost
  }

  /// Never waits: libudev's socket does not block.
  func take() -> Taken {
    errno = 0
    if let device = udev_monitor_receive_device(handle) {
      return .device(UdevDevice(owning: device))
    }
    return errno == ENOBUFS ? .lost : .nothing
  }
}
