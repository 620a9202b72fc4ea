import SerialIO
import TestSupport
import Transport

/// Sockets into which keychains are plugged, ports that processes hold open, and the events that
/// udev tells of it all; an independent model of what a board must show.
struct PlugWorld {
  static let sockets = 4
  static let serials = (1...6).map { "800000000000000\($0)" }

  /// By socket.
  private(set) var plugged: [Int: AttachedDevice] = [:]
  /// The numbers of ports that have gone, and that a process still has open.
  private var held: Set<Int> = []
  /// Told since the last call of `takeEvents`.
  private var told: [HotplugEvent] = []

  mutating func step(_ random: inout SeededGenerator) {
    let socket = Int.random(in: 0..<Self.sockets, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: plug(Self.serials.randomElement(using: &random)!, into: socket)
    case 4..<7: unplug(socket, isHeld: Bool.random(using: &random))
    case 7: held = []
    case 8: mend(socket)
    default: if let device = plugged[socket] { told.append(.seen(device)) }
    }
  }

  mutating func plug(_ serial: String, into socket: Int) {
    guard plugged[socket] == nil, !plugged.values.contains(where: { $0.address.serial == serial })
    else { return }
    let used = held.union(plugged.values.map(Self.number))
    let device = Self.keychain(serial, socket, number: (0...).first { !used.contains($0) }!)
    plugged[socket] = device
    told.append(.seen(device))
  }

  mutating func unplug(_ socket: Int, isHeld: Bool) {
    guard let device = plugged.removeValue(forKey: socket) else { return }
    if isHeld { held.insert(Self.number(of: device)) }
    told.append(.removed(systemPath: device.systemPath))
  }

  /// A rule is installed and triggered: the same device, with another link.
  private mutating func mend(_ socket: Int) {
    guard var device = plugged[socket] else { return }
    device.links.append("/dev/link-\(device.links.count)")
    plugged[socket] = device
    told.append(.seen(device))
  }

  mutating func takeEvents() -> [HotplugEvent] {
    defer { told = [] }
    return told
  }

  var all: [AttachedDevice] { plugged.values.sorted { $0.node < $1.node } }

  static func keychain(_ serial: String?, _ socket: Int, number: Int) -> AttachedDevice {
    let interface = "/sys/devices/usb1/1-\(socket)/1-\(socket):1.0"
    return AttachedDevice(
      .port, systemPath: "\(interface)/tty/ttyACM\(number)", node: "/dev/ttyACM\(number)",
      address: USBAddress.keychain.with(serial: serial), interface: interface,
      product: "fob keychain")
  }

  private static func number(of device: AttachedDevice) -> Int {
    Int(device.node.dropFirst("/dev/ttyACM".count))!
  }
}
