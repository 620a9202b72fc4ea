/// One run of a line as a capture file holds it.
public struct CapturedPacket: Hashable, Sendable {
  /// What the line is called: the interface's name.
  public var device: String
  /// Microseconds since 1970, not before it.
  public var microseconds: Int64
  public var direction: Direction
  /// At most `CaptureLimits.maxPacketSize`.
  public var bytes: [UInt8]
  /// Why it is no frame, and what was lost before it.
  public var comment: String?

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
  public static let maxPacketSize = 65_535
  /// One block of a file that is read, in bytes.
  public static let maxBlockSize = 1_048_576
  /// Lines in one file.
  public static let interfaces = 1_024
  /// UTF-8 bytes of a name or a comment; a longer one is cut.
  public static let maxTextSize = 1_024
}
