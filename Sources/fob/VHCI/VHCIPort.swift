/// A port of the kernel's virtual host controller, as a line of vhci_hcd's status says it.
///
/// `hub port sta spd dev sockfd local_busid`, port and state in decimal, the device in hexadecimal
/// (drivers/usb/usbip/vhci_sysfs.c).
struct VHCIPort: Equatable {
  /// Each port is on one of two root hubs, by what is to be plugged in.
  enum Hub: String { case highSpeed = "hs", superSpeed = "ss" }

  let hub: Hub
  let number: Int
  /// VDEV_ST_NULL of the kernel is 4: nothing is attached.
  let isFree: Bool
  /// busnum << 16 | devnum at the server; nil where it is free.
  let device: UInt32?
  /// The device's name on this machine, such as `1-1`; nil where the kernel has not met it yet.
  let busID: String?

  /// The ports of one status file. Lines that are none, as the heading, are passed over.
  static func read(_ text: String) -> [VHCIPort] {
    text.split(whereSeparator: \.isNewline).prefix(limit).compactMap(port)
  }

  /// The lowest that is free for a device of this speed.
  static func free(for speed: UInt32, in ports: [VHCIPort]) -> VHCIPort? {
    let hub: Hub = speed >= superSpeed ? .superSpeed : .highSpeed
    return ports.filter { $0.hub == hub && $0.isFree }.min { $0.number < $1.number }
  }

  /// More ports than any kernel's: 128 controllers of 62.
  private static let limit = 8_192
  /// USB_SPEED_SUPER of the kernel's enum usb_device_speed.
  private static let superSpeed: UInt32 = 5

  private static func port(_ line: Substring) -> VHCIPort? {
    let fields = line.split(separator: " ")
    guard fields.count >= 7, let hub = Hub(rawValue: String(fields[0])),
      let number = Int(fields[1]),
      (0..<limit).contains(number), let state = Int(fields[2]),
      let device = UInt32(fields[4], radix: 16)
    else { return nil }
    let isFree = state == 4
    return VHCIPort(
      hub: hub, number: number, isFree: isFree, device: isFree ? nil : device,
      busID: isFree || fields[6] == "0-0" ? nil : String(fields[6]))
  }
}
