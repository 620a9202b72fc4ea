/// The serial format that a host sets (CDC PSTN 1.2, table 17). A keychain has no UART: it stores
/// the format and hands it back, without effect.
public struct LineCoding: Hashable, Sendable {
  /// The length of the structure on the wire, in bytes.
  static let size = 7

  /// dwDTERate, bits a second.
  public var baud: UInt32 = 115_200
  /// bCharFormat: 0 is one stop bit, 1 one and a half, 2 two.
  public var stop: UInt8 = 0
  /// bParityType: 0 none, 1 odd, 2 even, 3 mark, 4 space.
  public var parity: UInt8 = 0
  /// bDataBits: 5, 6, 7, 8 or 16.
  public var dataBits: UInt8 = 8

  /// 115,200 baud, 8N1: the format after each SET_CONFIGURATION.
  public init() {}

  /// Nil for another length than 7 bytes, and for values that the table does not have.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size, bytes[4] <= 2, bytes[5] <= 4,
      [5, 6, 7, 8, 16].contains(bytes[6])
    else { return nil }
    baud = (0..<4).reduce(0) { $0 | UInt32(bytes[$1]) << UInt32(8 * $1) }
    stop = bytes[4]
    parity = bytes[5]
    dataBits = bytes[6]
  }

  var bytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: baud >> UInt32(8 * $0)) } + [stop, parity, dataBits]
  }

  /// As in `115200 8N1`.
  public var text: String {
    let parities = ["N", "O", "E", "M", "S"]
    let stops = ["1", "1.5", "2"]
    return "\(baud) \(dataBits)\(parities[Int(parity)])\(stops[Int(stop)])"
  }
}
