/// Why a line can be read no more.
public enum GoneReason: Hashable, Sendable, CustomStringConvertible {
  /// The device was unplugged or its other end closed.
  case hungUp
  case failed(IOFailure)

  public var description: String {
    switch self {
    case .hungUp: "it hung up"
    case .failed(let failure): failure.description
    }
  }
}
