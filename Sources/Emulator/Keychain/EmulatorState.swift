import FobBase

/// The state of an emulated keychain at one moment, as the control socket shows it.
public struct EmulatorState: Codable, Hashable, Sendable {
  /// The device id, sixteen hexadecimal digits.
  public var device: String
  /// The stable name of a pty; for other lines the spec that a host gives as `--device`.
  public var link: String
  /// A pty's device, like `/dev/pts/4`; nil while unplugged, and for other lines.
  public var pty: String?
  /// Whether a host can find the device.
  public var plugged: Bool
  /// Whether the board has power.
  public var powered: Bool
  /// Whether a host has the device open.
  public var host: Bool
  /// Whether the firmware has answered that host's HELLO.
  public var linked: Bool
  /// A `ShownState` by name; nil without power.
  public var shown: String?
  /// The detail of the state shown: seconds left, or how many.
  public var detail: UInt8
  /// Whether the light is on at this moment.
  public var led: Bool
  /// Whether the sounder is on.
  public var sounder: Bool
  /// Whether the finger holds the button, or its contact is closed.
  public var held: Bool
  /// The battery's charge, 0 to 100 per cent; nil for a keychain without a battery.
  public var battery: UInt8?
  /// The voltage at the battery's terminals, under the present load; nil as `battery`.
  public var millivolts: UInt16?
  /// Per cent of the charge lost in an hour.
  public var drain: Int64
  /// Parts per million that the board's clock gains on the host's.
  public var drift: Int32
  /// The source of the GPS receiver, as `GPSSource.text`.
  public var receiver: String
  /// Whether the button's spring is tired: a held contact opens for moments.
  public var chatter: Bool
  /// Whether the contact is stuck: closed whatever the finger does.
  public var stuck: Bool
  /// Events not yet acked; nil without power, as all fields down to `longitude`. In QEMU also nil
  /// before the first HEARTBEAT.
  public var unacked: Int?
  /// The firmware's boot counter.
  public var boot: UInt32?
  /// Quality of the position: none, weak or good.
  public var gps: String?
  /// Latitude in 1e-7 degree, north positive; nil while there is no known position.
  public var latitude: Int32?
  /// Longitude in 1e-7 degree, east positive; nil as `latitude`.
  public var longitude: Int32?
  /// The faults that are set on the line; nil when there are none.
  public var faults: [FaultState]?
  /// How many bytes each kind of fault has hit since the start, by `WireFault.Kind`; nil when none
  /// was ever set.
  public var struck: [String: UInt64]?
  /// The USB part; nil for a keychain that is no USB device.
  public var usb: USBState?

  mutating func setFaults(of line: FaultyLine) {
    if !line.faults.isEmpty { faults = line.faults.map { FaultState($0) } }
    let strikes = line.strikes
    guard !strikes.isEmpty else { return }
    struck = Dictionary(uniqueKeysWithValues: strikes.map { ($0.key.rawValue, $0.value) })
  }
}

/// A fault that is set on one direction of an emulated keychain's line, as `state` shows it.
public struct FaultState: Codable, Hashable, Sendable {
  /// What the fault does to a byte.
  public var kind: WireFault.Kind
  /// host or device.
  public var to: WireFault.Direction
  /// The share of bytes that it hits; nil for a fault at given bytes.
  public var rate: Double?
  /// The first byte that it hits, counted from 0 since it was set; nil for a rate.
  public var at: Int64?
  /// How many bytes from `at` on; nil for a rate.
  public var count: Int64?
  /// The pause of a split or a stall in milliseconds; nil for other kinds.
  public var ms: Int64?
  /// How many bytes it has hit.
  public var struck: UInt64

  init(_ set: SetFault) {
    kind = set.fault.kind
    to = set.fault.direction
    switch set.fault.bytes {
    case .rate(let rate): self.rate = rate
    case .at(let first, let count):
      at = first
      self.count = count
    }
    if !set.fault.kind.damages { ms = set.fault.pause.microseconds / 1_000 }
    struck = set.struck
  }
}
