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
  /// LINKTYPE_USER0: what it means is agreed outside the file.
  static let linkType: UInt16 = 147
  /// epb_flags, bits 0 and 1: inbound, outbound.
  static let inbound: UInt32 = 1
  static let outbound: UInt32 = 2
  /// Ten to the power of minus this, in seconds.
  static let microseconds: UInt8 = 6
  static let nanoseconds: UInt8 = 9

  static func padded(_ count: Int) -> Int { (count + 3) & ~3 }
}
