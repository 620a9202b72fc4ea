/// Why a command was not carried out, and a hint, in one line.
public struct CommandRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
