public import FobBase

extension TimeSync {
  /// A line through the exchanges, which turns the device's clock into the host's.
  public struct Fit: Equatable, Sendable {
    /// Host clock minus device clock at `reference`, µs.
    public var offset: Int64
    /// Device clock, µs.
    public var reference: Int64
    /// Parts per billion that the host's clock gains on the device's.
    public var drift: Int64
    /// Half the round trip of the exchange that is trusted, µs. Where the last exchange contradicts
    /// the fit: how far the fit may be off there.
    public var uncertainty: Int64
    /// The boot of the device that this holds for.
    public var bootNonce: UInt32
    /// Device clock, µs, of the first exchange since the boot or the last jump of the clock. The
    /// fit is not reliable for stamps before that.
    public var since: Int64 = .min

    /// The host's clock when the device's says `deviceClock`.
    /// - Parameter deviceClock: µs since the device's boot.
    public func hostInstant(_ deviceClock: UInt64) -> Instant {
      let device = Int64(bitPattern: deviceClock)
      let (product, overflow) = (device &- reference).multipliedReportingOverflow(by: drift)
      let gained = overflow ? 0 : product / 1_000_000_000
      return Instant(microseconds: device &+ offset &+ gained)
    }
  }
}
