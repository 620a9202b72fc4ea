/// How a serial port is set up. Settings that are not given stay as the driver has them.
public struct SerialSettings: Hashable, Sendable {
  /// Flow control. XON/XOFF is no choice: it takes the bytes 0x11 and 0x13 out of the line, and a
  /// frame that holds one would never arrive, however often it is sent again.
  public enum Flow: String, CaseIterable, Hashable, Sendable {
    case none
    /// The RTS and CTS wires (CRTSCTS).
    case rtscts
  }

  /// What opening does to the DTR wire.
  public enum DTR: String, CaseIterable, Hashable, Sendable {
    case keep, on, off
    /// Off for 100 ms and on again: on many boards the reset.
    case pulse
  }

  /// What opening does to the RTS wire.
  public enum RTS: String, CaseIterable, Hashable, Sendable {
    case keep, on, off
  }

  /// The largest rate that a spec may ask for, bits per second.
  public static let maxBaud: UInt32 = 20_000_000

  /// Bits per second, any number that the driver can make; nil keeps the port's.
  public var baud: UInt32?
  /// With `rtscts` the driver moves RTS itself: leave ``rts`` at `keep`.
  public var flow: Flow
  /// Moved after ``rts``.
  public var dtr: DTR
  /// Moved before ``dtr``; `keep` with hardware flow control.
  public var rts: RTS

  /// The defaults leave rate and modem lines as they are, without flow control.
  public init(baud: UInt32? = nil, flow: Flow = .none, dtr: DTR = .keep, rts: RTS = .keep) {
    self.baud = baud
    self.flow = flow
    self.dtr = dtr
    self.rts = rts
  }

  /// The settings as a spec has them, from the `?` on; empty if all are defaults.
  var text: String {
    var parts: [String] = []
    if let baud { parts.append("baud=\(baud)") }
    if flow != .none { parts.append("flow=\(flow.rawValue)") }
    if dtr != .keep { parts.append("dtr=\(dtr.rawValue)") }
    if rts != .keep { parts.append("rts=\(rts.rawValue)") }
    return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
  }
}
