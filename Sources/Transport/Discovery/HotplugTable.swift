import Glibc
public import SerialIO

/// An event of udev, or the result of a look, for ``HotplugTable``.
public enum HotplugEvent: Hashable, Sendable {
  /// A device is there: added, changed, or found by looking.
  case seen(AttachedDevice)
  /// The device with this folder in /sys has gone; nothing else is known of it by now.
  case removed(systemPath: String)
  /// All devices that are there: at the start, at each look, and when events were lost.
  case all([AttachedDevice])
}

/// A change of the table by an event.
public enum HotplugChange: Hashable, Sendable {
  case appeared(AttachedDevice)
  case gone(AttachedDevice)
}

/// The attached devices, made of udev's events.
///
/// Vendor, product and serial number name a device; its folder in /sys and its node belong to one
/// plugging. A device that is replugged while a process holds its old node gets another (ttyACM1
/// for ttyACM0). An event may come twice or be missing: a device has also gone when another has its
/// folder, node or interface. It is a struct without I/O; ``HotplugMonitor`` feeds it.
public struct HotplugTable: Sendable {
  private struct Entry {
    var device: AttachedDevice
    /// The number of this plugging; it only grows.
    let number: UInt64
  }

  private var entries: [String: Entry] = [:]
  private var lastNumber: UInt64 = 0

  /// An empty table.
  public init() {}

  /// Takes an event and returns what it changes, in order. An event that tells nothing new changes
  /// nothing.
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
      // Links and properties may have changed.
      entries[device.systemPath]?.device = device
      return []
    }
    // A node belongs to one device, and an interface has one port: an earlier device there has gone
    // without an event.
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

  /// All attached devices, in the order in which they came.
  public var devices: [AttachedDevice] {
    entries.values.sorted { $0.number < $1.number }.map(\.device)
  }

  /// The devices that an address means, in the order in which they came.
  public func devices(at address: USBAddress) -> [AttachedDevice] {
    devices.filter { device in
      address.matches(
        vendor: device.address.vendor, product: device.address.product,
        serial: device.address.serial)
    }
  }

  /// The number of a device's plugging, another after every replug; nil when it is not there.
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
