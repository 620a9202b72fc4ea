import FobBase

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
