extension LEDState {
  /// By what right the light shows what it shows: bits 1 and 2 of `flags`.
  public enum Source: UInt8, Sendable {
    case own = 0, lease, bench

    init(flags: UInt8) { self = flags & 4 != 0 ? .bench : flags & 2 != 0 ? .lease : .own }

    var flags: UInt8 { rawValue << 1 }
  }
}

extension ShownState {
  /// The others are the device's own.
  public var canBeIndicated: Bool { rawValue <= ShownState.identify.rawValue }
}
