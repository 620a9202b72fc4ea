public import FobBase

extension TimeSync {
  /// A line through the exchanges: what the host's clock says when the device's says this.
  public struct Fit: Equatable, Sendable {
    /// Host clock minus device clock at `reference`, µs.
    public var offset: Int64
    /// Device clock, µs.
    public var reference: Int64
    /// Parts per billion that the host's clock gains on the device's.
    public var drift: Int64
    /// Half the round trip of the exchange trusted, µs; where the last exchange contradicts the
    /// fit, by how much it may be off there.
    public var uncertainty: Int64
    public var bootNonce: UInt32
    /// Device clock, µs, of the first exchange since its boot or its last jump: of stamps before
    /// that it says nothing sure.
    public var since: Int64 = .min

    /// - Parameter deviceClock: µs since the device's boot.
    public func hostInstant(_ deviceClock: UInt64) -> Instant {
      let device = Int64(bitPattern: deviceClock)
      let (product, overflow) = (device &- reference).multipliedReportingOverflow(by: drift)
      let gained = overflow ? 0 : product / 1_000_000_000
      return Instant(microseconds: device &+ offset &+ gained)
    }
  }
}
