/// How fast a device speaks, by the numbers of USB/IP and of the kernel's `enum usb_device_speed`.
public enum USBSpeed: UInt32, Hashable, Sendable, CaseIterable {
  /// 12 Mbit/s: bulk packets of at most 64 bytes.
  case full = 2
  /// 480 Mbit/s: bulk packets of 512 bytes.
  case high = 3

  /// wMaxPacketSize of a bulk endpoint, bytes (USB 2.0, 5.8.3).
  public var bulkPacket: Int { self == .full ? 64 : 512 }
}
