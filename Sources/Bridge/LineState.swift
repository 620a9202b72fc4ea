public import SerialIO

/// A line of a bridge at one moment.
public struct LineState: Equatable, Sendable {
  public let spec: DeviceSpec
  /// Which keychain was heard since it was opened last, sixteen hexadecimal digits.
  public let device: String?
  public let isOpen: Bool
  /// Why it cannot be opened, or how it ended; nil while it is open.
  public let obstacle: String?
}
