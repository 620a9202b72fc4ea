import CUdev
import Glibc
import SerialIO

/// One device as libudev shows it.
struct UdevDevice: ~Copyable {
  private let handle: OpaquePointer

  init(owning handle: OpaquePointer) { self.handle = handle }

  /// Nil when it has gone meanwhile.
  init?(at systemPath: UnsafePointer<CChar>, in context: borrowing UdevContext) {
    guard let handle = udev_device_new_from_syspath(context.handle, systemPath) else { return nil }
    self.handle = handle
  }

  deinit { udev_device_unref(handle) }

  /// The action of an event; nil for a device found by looking.
  var action: String? { Self.text(udev_device_get_action(handle)) }

  var systemPath: String { Self.text(udev_device_get_syspath(handle)) ?? "" }

  /// Whether udev's rules were applied; before that the node belongs to root alone. The monitor
  /// tells of the device again once they are.
  var isReady: Bool {
    udev_device_get_is_initialized(handle) > 0 || property("ID_VENDOR_ID") != nil
      || !UdevContext.isServed
  }

  /// The device as a value to keep; nil if it belongs to no USB device, or has no node.
  ///
  /// Vendor, product and serial number are udev's properties. Without udevd they are read from the
  /// USB device's attributes in /sys; links, the rule's group and mode, FOB_KEYCHAIN and
  /// ID_MM_DEVICE_IGNORE are then missing.
  func plugged(_ kind: AttachedDevice.Kind) -> AttachedDevice? {
    let device: OpaquePointer
    switch kind {
    case .device:
      guard Self.text(udev_device_get_devtype(handle)) == kind.type else { return nil }
      device = handle
    case .port:
      guard
        let parent = udev_device_get_parent_with_subsystem_devtype(handle, "usb", "usb_device")
      else { return nil }
      device = parent
    }
    guard let node = Self.text(udev_device_get_devnode(handle)),
      let vendor = id(["ID_USB_VENDOR_ID", "ID_VENDOR_ID"], "idVendor", of: device),
      let product = id(["ID_USB_MODEL_ID", "ID_MODEL_ID"], "idProduct", of: device)
    else { return nil }
    let serial =
      property("ID_USB_SERIAL_SHORT") ?? property("ID_SERIAL_SHORT")
      ?? Self.attribute("serial", of: device)
    let interface =
      kind == .port
      ? udev_device_get_parent_with_subsystem_devtype(handle, "usb", "usb_interface") : nil
    return AttachedDevice(
      kind, systemPath: systemPath, node: node,
      links: (property("DEVLINKS") ?? "").split(separator: " ").map(String.init).sorted(),
      address: USBAddress(vendor: vendor, product: product, serial: serial),
      interface: interface.flatMap { Self.text(udev_device_get_syspath($0)) },
      maker: Self.attribute("manufacturer", of: device),
      product: Self.attribute("product", of: device),
      driver: interface.flatMap { Self.text(udev_device_get_driver($0)) },
      isKeychain: property("FOB_KEYCHAIN") == "1",
      isKeptFromModemManager: property("ID_MM_DEVICE_IGNORE") == "1")
  }

  private func property(_ name: String) -> String? {
    Self.text(udev_device_get_property_value(handle, name))
  }

  private func id(_ names: [String], _ attribute: String, of device: OpaquePointer) -> UInt16? {
    for name in names {
      if let text = property(name) { return UInt16(text, radix: 16) }
    }
    return Self.attribute(attribute, of: device).flatMap { UInt16($0, radix: 16) }
  }

  private static func attribute(_ name: String, of device: OpaquePointer) -> String? {
    text(udev_device_get_sysattr_value(device, name))
  }

  /// Nil for a text that is missing or empty, as a device's own may be.
  private static func text(_ words: UnsafePointer<CChar>?) -> String? {
    words.flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
  }
}
