public import FobBase

/// How many REJECT one end sends (PROTOCOL.md, 5.3): a peer of another protocol, or one that is
/// defective, is not answered frame by frame.
public struct RejectRateLimit: Sendable {
  private var began = Instant(microseconds: 0)
  private var count: UInt8 = 0

  public init() {}

  /// Whether a frame that is refused now is answered; counts the answer.
  public mutating func allows(at now: Instant) -> Bool {
    // A clock that went back begins anew, too.
    if count == 0 || now < began || now - began >= .seconds(1) {
      began = now
      count = 0
    }
    guard count < Limits.rejectsPerSecond else { return false }
    count += 1
    return true
  }
}
