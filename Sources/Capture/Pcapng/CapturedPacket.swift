/// One run of a line as a capture file holds it.
public struct CapturedPacket: Hashable, Sendable {
  /// The line's name, which becomes the interface's name in the file.
  public var device: String
  /// Microseconds since 1970. ``PcapngWriter`` writes a negative time as 0.
  public var microseconds: Int64
  /// Stored in the packet's flags (epb_flags).
  public var direction: Direction
  /// At most `CaptureLimits.maxPacketSize`.
  public var bytes: [UInt8]
  /// Says why the run is no frame, and what was lost before it; nil where there is nothing to say.
  public var comment: String?

  /// Takes any values: ``PcapngWriter`` checks the size, not this.
  public init(
    device: String, microseconds: Int64, direction: Direction, bytes: [UInt8],
    comment: String? = nil
  ) {
    self.device = device
    self.microseconds = microseconds
    self.direction = direction
    self.bytes = bytes
    self.comment = comment
  }
}

/// The bounds of a capture file, as it is written and as it is read.
public enum CaptureLimits {
  /// Bytes in one packet. The writer traps on more, the reader refuses more.
  public static let maxPacketSize = 65_535
  /// The largest block that is read, in bytes.
  public static let maxBlockSize = 1_048_576
  /// The most lines in one file.
  public static let interfaces = 1_024
  /// The most UTF-8 bytes of a name or a comment; a longer one is cut.
  public static let maxTextSize = 1_024
}

/// Which way bytes went over a line.
public enum Direction: String, Hashable, Sendable {
  case toHost = "host"
  case toDevice = "device"
}

/// Numbers of the format (draft-ietf-opsawg-pcapng, sections 3 and 4).
enum Pcapng {
  enum Block {
    static let section: UInt32 = 0x0A0D_0D0A
    static let interface: UInt32 = 1
    static let enhancedPacket: UInt32 = 6
  }

  enum Option {
    static let end: UInt16 = 0
    static let comment: UInt16 = 1
    static let interfaceName: UInt16 = 2
    static let packetFlags: UInt16 = 2
    static let application: UInt16 = 4
    static let timeResolution: UInt16 = 9
  }

  static let byteOrder: UInt32 = 0x1A2B_3C4D
  static let major: UInt16 = 1
  static let minor: UInt16 = 0
  /// LINKTYPE_USER0, whose meaning is agreed outside of the file.
  static let linkType: UInt16 = 147
  /// epb_flags, bits 0 and 1: inbound, outbound.
  static let inbound: UInt32 = 1
  static let outbound: UInt32 = 2
  /// Time resolutions (if_tsresol): n stands for 10 to the power of -n seconds.
  static let microseconds: UInt8 = 6
  static let nanoseconds: UInt8 = 9

  static func padded(_ count: Int) -> Int { (count + 3) & ~3 }
}
