public import FobBase

/// The device's clock in terms of the host's, from four-stamp exchanges (RFC 5905, section 8).
///
/// Keeps the last 16 exchanges and trusts the one with the shortest round trip: an exchange cannot
/// be wrong by more than half of its round trip. Drift is fitted once the exchanges span 20 s and
/// prove that there is one. Two exchanges that no drift of 1000 ppm explains prove that the clock
/// of the device has jumped: the older ones are thrown away.
public struct TimeSync: Sendable {
  private struct Sample: Sendable {
    var device: Int64
    var offset: Int64
    var roundTrip: Int64
  }

  private var samples = FixedRing<16, Sample>(
    filler: Sample(device: 0, offset: 0, roundTrip: 0))
  private var bootNonce: UInt32?
  private var since: Int64 = 0
  /// Nil before the first exchange with this boot.
  public private(set) var fit: Fit?

  /// No boot is known: `receive` refuses all exchanges before `deviceBooted`.
  public init() {}

  /// Forgets everything when the device has booted since.
  public mutating func deviceBooted(nonce: UInt32) {
    guard nonce != bootNonce else { return }
    self = TimeSync()
    bootNonce = nonce
  }

  /// Takes in one exchange; false when it cannot belong to this boot or runs backwards.
  public mutating func receive(_ response: TimeResponse, at now: Instant) -> Bool {
    let sent = Int64(bitPattern: response.hostSend)
    let received = Int64(bitPattern: response.deviceReceive)
    let answered = Int64(bitPattern: response.deviceSend)
    guard response.bootNonce == bootNonce, received >= 0, answered >= received, sent >= 0,
      now.microseconds >= sent
    else { return false }
    let roundTrip = (now.microseconds - sent) - (answered - received)
    guard roundTrip >= 0 else { return false }
    let middle = received + (answered - received) / 2
    let offset = sent + (now.microseconds - sent) / 2 - middle
    let sample = Sample(device: middle, offset: offset, roundTrip: roundTrip)
    if samples.count > 0, hasJumped(from: samples[samples.count - 1], to: sample) {
      samples = FixedRing(filler: Sample(device: 0, offset: 0, roundTrip: 0))
    }
    if samples.isEmpty { since = sample.device }
    samples.push(sample)
    refit()
    return true
  }

  /// Only one exchange is known: the first, or the first since the clock has jumped.
  var isNew: Bool { samples.count == 1 }

  private func hasJumped(from earlier: Sample, to later: Sample) -> Bool {
    let (gained, isAbsurd) = later.offset.subtractingReportingOverflow(earlier.offset)
    let drifted = (later.device - earlier.device).magnitude / 1_000
    let doubt = earlier.roundTrip.magnitude / 2 + later.roundTrip.magnitude / 2 + 2
    return isAbsurd || gained.magnitude > doubt + drifted
  }

  private mutating func refit() {
    guard let bootNonce, let best = shortest(0..<samples.count) else { return }
    var fit = Fit(
      offset: best.offset, reference: best.device, drift: drift(),
      uncertainty: best.roundTrip / 2 + 1, bootNonce: bootNonce, since: since)
    let last = samples[samples.count - 1]
    let said = fit.hostInstant(UInt64(bitPattern: last.device)).microseconds
    let (off, isAbsurd) = said.subtractingReportingOverflow(last.device &+ last.offset)
    let doubt = last.roundTrip / 2 + 1
    if !isAbsurd, off.magnitude > fit.uncertainty.magnitude + doubt.magnitude {
      fit.uncertainty = Int64(clamping: off.magnitude + doubt.magnitude)
    }
    self.fit = fit
  }

  /// Parts per billion. 0 where equal clocks explain both exchanges: otherwise the uncertainty of
  /// two short intervals would grow without limit over a long one.
  private mutating func drift() -> Int64 {
    let half = samples.count / 2
    guard let early = shortest(0..<half), let late = shortest(half..<samples.count),
      late.device - early.device >= 20_000_000
    else { return 0 }
    let (gained, isAbsurd) = late.offset.subtractingReportingOverflow(early.offset)
    let doubt = early.roundTrip / 2 + late.roundTrip / 2 + 2
    guard !isAbsurd, gained.magnitude > doubt.magnitude else { return 0 }
    let scaled = gained.multipliedReportingOverflow(by: 1_000_000_000)
    return scaled.overflow ? 0 : scaled.partialValue / (late.device - early.device)
  }

  private mutating func shortest(_ range: Range<Int>) -> Sample? {
    guard var best = range.first else { return nil }
    // No closure, and mutating: either would make a copy of all samples.
    for i in range where samples[i].roundTrip < samples[best].roundTrip { best = i }
    return samples[best]
  }
}
