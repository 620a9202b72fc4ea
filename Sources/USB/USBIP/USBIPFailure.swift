/// What the other end of a USB/IP connection said that it may not: the connection ends.
public struct USBIPFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
