/// How a serial port is set up. What is not asked for stays as the driver has it.
public struct SerialSettings: Hashable, Sendable {
  /// Who may stop the sender. XON/XOFF is no choice: it takes the bytes 0x11 and 0x13 out of the
  /// line, and a frame that holds one would never arrive, however often it is sent again.
  public enum Flow: String, CaseIterable, Hashable, Sendable {
    case none
    /// The RTS and CTS wires (CRTSCTS).
    case rtscts
  }

  public enum DTR: String, CaseIterable, Hashable, Sendable {
    case keep, on, off
    /// Off for ``pulseLength`` and on again: on many boards the reset.
    case pulse
  }

  public enum RTS: String, CaseIterable, Hashable, Sendable {
    case keep, on, off
  }

  public static let maxBaud: UInt32 = 20_000_000

  /// Bits per second, any number that the driver can make; nil keeps the port's.
  public var baud: UInt32?
  public var flow: Flow
  public var dtr: DTR
  public var rts: RTS

  public init(baud: UInt32? = nil, flow: Flow = .none, dtr: DTR = .keep, rts: RTS = .keep) {
    self.baud = baud
    self.flow = flow
    self.dtr = dtr
    self.rts = rts
  }

  /// As in a spec, from the `?` on; empty if nothing is asked for.
  var text: String {
    var parts: [String] = []
    if let baud { parts.append("baud=\(baud)") }
    if flow != .none { parts.append("flow=\(flow.rawValue)") }
    if dtr != .keep { parts.append("dtr=\(dtr.rawValue)") }
    if rts != .keep { parts.append("rts=\(rts.rawValue)") }
    return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
  }
}
