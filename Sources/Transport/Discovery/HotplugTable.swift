import Glibc
public import SerialIO

/// What udev says, as the board takes it.
public enum HotplugEvent: Hashable, Sendable {
  /// It is there: added, changed, or found by looking.
  case seen(AttachedDevice)
  /// The device with this folder in /sys has gone; nothing else is known of it by now.
  case removed(systemPath: String)
  /// All that is there: at the start, and when events were lost.
  case all([AttachedDevice])
}

/// What has changed by an event, in order.
public enum HotplugChange: Hashable, Sendable {
  case appeared(AttachedDevice)
  case gone(AttachedDevice)
}

/// What is plugged in, made of udev's events.
///
/// A device is known by vendor, product and serial number; its folder in /sys and its node are
/// those of one plugging. One that is replugged while a process still holds its old node comes
/// back as another (ttyACM1 for ttyACM0), and an event may come twice, or not at all: a device is
/// then told by what its place has become. It is a struct without I/O; ``HotplugMonitor`` feeds it.
public struct HotplugTable: Sendable {
  private struct Entry {
    var device: AttachedDevice
    /// Of this plugging; it only grows.
    let number: UInt64
  }

  private var entries: [String: Entry] = [:]
  private var lastNumber: UInt64 = 0

  public init() {}

  public mutating func handle(_ event: HotplugEvent) -> [HotplugChange] {
    switch event {
    case .seen(let device): return see(device)
    case .removed(let path): return remove(path).map { [.gone($0)] } ?? []
    case .all(let devices):
      let there = Set(devices.map(\.systemPath))
      let gone = self.devices.filter { !there.contains($0.systemPath) }
      for device in gone { entries[device.systemPath] = nil }
      return gone.map { .gone($0) } + devices.flatMap { see($0) }
    }
  }

  private mutating func see(_ device: AttachedDevice) -> [HotplugChange] {
    if let known = entries[device.systemPath]?.device, known.address == device.address,
      known.node == device.node
    {
      // Links and properties may have been mended since.
      entries[device.systemPath]?.device = device
      return []
    }
    // A node is one device's, and an interface has one port: whoever was there has gone unsaid.
    let former = devices.filter { other in
      other.systemPath == device.systemPath || other.node == device.node
        || (device.interface != nil && other.interface == device.interface)
    }
    for other in former { entries[other.systemPath] = nil }
    lastNumber += 1
    entries[device.systemPath] = Entry(device: device, number: lastNumber)
    return former.map { .gone($0) } + [.appeared(device)]
  }

  private mutating func remove(_ path: String) -> AttachedDevice? {
    entries.removeValue(forKey: path)?.device
  }

  /// In the order in which they came.
  public var devices: [AttachedDevice] {
    entries.values.sorted { $0.number < $1.number }.map(\.device)
  }

  public func devices(at address: USBAddress) -> [AttachedDevice] {
    devices.filter { device in
      address.matches(
        vendor: device.address.vendor, product: device.address.product,
        serial: device.address.serial)
    }
  }

  /// Which plugging of a device this is: another number after every replug; nil when it is not
  /// there.
  public func number(of device: AttachedDevice) -> UInt64? { entries[device.systemPath]?.number }

  /// The one device that a spec means.
  /// - Throws: `IOFailure` with ENODEV where none is there, ENOTUNIQ where several are.
  public func only(_ address: USBAddress) throws(IOFailure) -> AttachedDevice {
    let found = devices(at: address)
    if found.count == 1 { return found[0] }
    throw IOFailure(
      "find", errno: found.isEmpty ? ENODEV : ENOTUNIQ, path: "\(address)",
      reason: found.isEmpty ? absence(of: address) : Self.ambiguity(found))
  }

  private func absence(of address: USBAddress) -> String {
    let others = devices(at: address.with(serial: nil)).compactMap(\.address.serial)
    let plugged = others.isEmpty ? "" : "; plugged in: \(others.joined(separator: ", "))"
    return "no USB device with "
      + (address.serial.map { "these ids and the serial number \($0)" } ?? "these ids")
      + " is plugged in\(plugged)"
  }

  private static func ambiguity(_ found: [AttachedDevice]) -> String {
    let serials = found.compactMap(\.address.serial)
    guard serials.count == found.count, Set(serials).count == found.count else {
      let nodes = found.map(\.node).joined(separator: ", ")
      return "\(nodes) cannot be told apart by a serial number: unplug all but one, or name one by"
        + " serial:PATH"
    }
    return "several are plugged in; name one: "
      + found.map { "\($0.spec)" }.joined(separator: ", ")
  }
}
