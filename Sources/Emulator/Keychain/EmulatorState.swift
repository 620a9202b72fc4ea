import FobBase

/// An emulated keychain at one moment, as the control socket shows it.
public struct EmulatorState: Codable, Hashable, Sendable {
  /// Sixteen hexadecimal digits.
  public var device: String
  /// Of a pty its stable name, of other lines what a host gives as `--device`.
  public var link: String
  /// Of a pty, like `/dev/pts/4`; nil while unplugged.
  public var pty: String?
  public var plugged: Bool
  public var powered: Bool
  /// A host has the device open.
  public var host: Bool
  /// The firmware has answered that host's HELLO.
  public var linked: Bool
  /// A `ShownState` by name; nil without power.
  public var shown: String?
  /// Of the state shown: seconds left, or how many.
  public var detail: UInt8
  public var led: Bool
  public var sounder: Bool
  /// The finger is on the button.
  public var held: Bool
  public var battery: UInt8
  /// At the terminals, under the present load.
  public var millivolts: UInt16
  /// Per cent of the charge lost in an hour.
  public var drain: Int64
  /// Parts per million that the board's clock gains on the host's.
  public var drift: Int32
  /// What the GPS receiver hears, as its specification says it.
  public var receiver: String
  /// The button's spring is tired: a held contact opens for moments.
  public var chatter: Bool
  /// The contact stays closed whatever the finger does.
  public var stuck: Bool
  /// Events not yet acked; nil without power, as the next three.
  public var unacked: Int?
  public var boot: UInt32?
  /// none, weak or good.
  public var gps: String?
  /// 1e-7 degree, north and east positive; nil when there was never a fix.
  public var latitude: Int32?
  public var longitude: Int32?
  /// The faults of the line that are set; nil when there are none.
  public var faults: [FaultState]?
  /// How many bytes each kind of fault has hit since the start; nil when none was ever set.
  public var struck: [String: UInt64]?
  /// Of a keychain that is a USB device.
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
  public var kind: WireFault.Kind
  /// host or device.
  public var to: WireFault.Direction
  /// Share of the bytes; nil for one that is at a given byte.
  public var rate: Double?
  /// First byte, counted from when it was set, and how many.
  public var at: Int64?
  public var count: Int64?
  /// Of a split or a stall.
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
