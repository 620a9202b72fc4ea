import CUdev
import Glibc
import SerialIO

/// libudev's context, with which every other handle is made. One thread at a time may use it and
/// the handles made with it.
struct UdevContext: ~Copyable {
  let handle: OpaquePointer

  init() throws(IOFailure) {
    guard let handle = udev_new() else {
      throw IOFailure("use", errno: errno, path: "libudev")
    }
    self.handle = handle
  }

  deinit { udev_unref(handle) }

  /// Whether udevd runs. Without it, as in most containers, no rule is applied and no event is
  /// told: devices are found by looking each second.
  static var isServed: Bool { access("/run/udev/control", F_OK) == 0 }

  /// The devices of one kind that are there now, in the order of their folders.
  func devices(_ kind: AttachedDevice.Kind) throws(IOFailure) -> [AttachedDevice] {
    guard let search = udev_enumerate_new(handle) else {
      throw IOFailure("look for", errno: errno, path: "USB devices")
    }
    defer { udev_enumerate_unref(search) }
    udev_enumerate_add_match_subsystem(search, kind.subsystem)
    let code = udev_enumerate_scan_devices(search)
    // A kernel without the subsystem has none of its devices.
    guard code >= 0 || code == -ENOENT else {
      throw IOFailure("look for", errno: -code, path: "USB devices")
    }
    var found: [AttachedDevice] = []
    var next = udev_enumerate_get_list_entry(search)
    while let entry = next {
      next = udev_list_entry_get_next(entry)
      // Skips consoles and ptys, of which there are often more than a hundred.
      guard let path = udev_list_entry_get_name(entry),
        strstr(path, "/virtual/") == nil,
        let device = UdevDevice(at: path, in: self), device.isReady,
        let plugged = device.plugged(kind)
      else { continue }
      found.append(plugged)
    }
    return found
  }
}

extension AttachedDevice.Kind {
  var subsystem: String {
    switch self {
    case .port: "tty"
    case .device: "usb"
    }
  }

  var type: String? {
    switch self {
    case .port: nil
    case .device: "usb_device"
    }
  }
}
