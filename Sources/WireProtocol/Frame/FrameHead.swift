/// The first byte of a frame: major version in bits 7 to 4, RESENT in bit 2; bit 3 is kept for
/// authentication and, like bits 1 and 0, must be 0.
public struct FrameHead: Equatable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(resent: Bool) { rawValue = Self.version << 4 | (resent ? 4 : 0) }

  public static let version: UInt8 = 1

  public var major: UInt8 { rawValue >> 4 }
  public var isResent: Bool { rawValue & 4 != 0 }
  public var hasReservedBits: Bool { rawValue & 0b1011 != 0 }
}
