import FobBase
import WireProtocol

/// Dates clicks that came long after they were made. A click of an outage is dated by the exchanges
/// of clocks before and after it: both must be of the click's boot, enclose its stamp, and agree
/// about it within a second. A click without such a proof answers nothing.
struct LateClicks: Sendable {
  private struct Clock {
    var before: TimeSync.Fit?
    var after: TimeSync.Fit
    /// The keychain's clock at the exchange that proved `after`.
    var provenAt: UInt64
  }

  private static let room = 16
  private static let exact = Interval.seconds(1)

  private var clocks: [DeviceID: Clock] = [:]
  /// Clicks that the next exchange may date, the newest last.
  private var waiting: [HeardEvent] = []

  /// The clock of a keychain is proven again, after its line was lost or at its first exchange.
  mutating func learn(_ fit: TimeSync.Fit, provenAt: UInt64, of device: DeviceID) {
    guard clocks[device] != nil || clocks.count < Limits.devices else { return }
    let earlier = clocks[device]?.after
    clocks[device] = Clock(
      before: earlier?.bootNonce == fit.bootNonce ? earlier : nil, after: fit, provenAt: provenAt)
  }

  /// The host's clock was moved: nothing earlier can be compared.
  mutating func clockMoved() { self = LateClicks() }

  mutating func wait(for click: HeardEvent) {
    if waiting.count == Self.room { waiting.removeFirst() }
    waiting.append(click)
  }

  /// The clicks of a keychain that waited for its clock.
  mutating func take(of device: DeviceID) -> [HeardEvent] {
    let taken = waiting.filter { $0.identity.deviceID == device }
    if !taken.isEmpty { waiting.removeAll { $0.identity.deviceID == device } }
    return taken
  }

  /// When a click was, µs on the host's boot clock; nil: there is no proof.
  func date(_ click: HeardEvent) -> Int64? {
    guard !click.isClockDoubted else { return nil }
    if let range = click.happenedAt {
      let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      return !overflow && width <= Self.exact.microseconds ? click.happened : nil
    }
    guard let clock = clocks[click.identity.deviceID], let before = clock.before,
      clock.after.bootNonce == click.identity.bootNonce, click.clock <= clock.provenAt,
      before.since >= 0, click.clock >= UInt64(before.since)
    else { return nil }
    let one = before.hostInstant(click.clock).microseconds
    let other = clock.after.hostInstant(click.clock).microseconds
    let (apart, overflow) = one.subtractingReportingOverflow(other)
    return !overflow && apart.magnitude <= UInt64(Self.exact.microseconds) ? other : nil
  }
}
