public import FobBase

/// Reads a GPS receiver: bytes in, the last known position out. Nothing here waits: the last place,
/// its age and its present quality are there at any time.
///
/// It reads these sentences of every talker (GP, GN, GL, GA, GB, BD, GQ…):
///
/// - GGA and GNS decide whether there is a fix, and its quality.
/// - RMC and GLL bring a position. They decide about the fix only while no GGA and no GNS is heard;
///   its quality is then `weak` at best, unless a GSA says more. Their status V changes nothing
///   about a position that a GGA or GNS states.
/// - RMC brings the date. So does ZDA, but only beside a fix: a receiver without one states
///   whatever its clock holds.
/// - GSA brings the mode. One that sees no fix is ignored, because some receivers send one for each
///   satellite system.
///
/// Some receivers send one GGA for each constellation. Only the talker with the best fix counts,
/// until it has been silent for 5 s. Otherwise the quality would jump twice a second.
public struct GPSReceiver: Sendable {
  /// The last position, kept when the signal is lost, so that an alarm has a place to tell. Nil
  /// until the first. Its quality is as of `fix.at`; ask `quality(at:)` for the present one.
  public private(set) var fix: GPSFix?
  /// Counts accepted and refused sentences.
  public private(set) var reader: SentenceReader
  /// Accepted sentences of other types.
  public private(set) var skipped: UInt32 = 0
  /// Accepted sentences of the types above of which nothing was taken, because a field is missing,
  /// malformed or out of range.
  public private(set) var fieldErrors: UInt32 = 0

  private var voice: Voice?
  private var date: UTCDate?
  private var active: Active?

  /// The last GGA or GNS of the talker that counts.
  private struct Voice {
    var talker: Talker
    var quality: GPSQuality
    var satellites: UInt8
    var at: Instant
  }

  /// The last GSA with a fix.
  private struct Active {
    var mode: FixMode
    var satellites: UInt8
    var hdop: UInt16?
    /// A position was made with it: the next GSA belongs to another epoch.
    var isUsed: Bool
    var at: Instant
  }

  /// A quality holds for so long: until `fix.at + silence`.
  public static let silence = Interval.seconds(5)

  /// Nothing was heard yet. By default a sentence without a checksum is refused.
  public init(checksum: ChecksumPolicy = .required) { reader = SentenceReader(checksum: checksum) }

  /// Takes one byte that was read at `now`. True when `fix` changed.
  public mutating func receive(_ byte: UInt8, at now: Instant) -> Bool {
    reader.receive(byte) && takeSentence(at: now)
  }

  /// Takes bytes that were read at `now`. True when `fix` changed.
  public mutating func receive(_ bytes: Span<UInt8>, at now: Instant) -> Bool {
    var start = 0
    var isChanged = false
    while reader.receive(bytes, from: &start) {
      if takeSentence(at: now) { isChanged = true }
    }
    return isChanged
  }

  /// The quality at `now`: that of the last fix, or `none` when nothing confirmed it for over 5 s.
  @inline(never)
  public func quality(at now: Instant) -> GPSQuality {
    guard let fix, now - fix.at <= Self.silence else { return .none }
    return fix.quality
  }

  /// The mode at `now`: that of the last fix, or `noFix` when nothing confirmed it for over 5 s.
  @inline(never)
  public func mode(at now: Instant) -> FixMode {
    guard let fix, now - fix.at <= Self.silence else { return .noFix }
    return fix.mode
  }

  @inline(never)
  private mutating func takeSentence(at now: Instant) -> Bool {
    var report = Report()
    do throws(FieldError) {
      try reader.read(&report)
    } catch {
      fieldErrors &+= 1
      return false
    }
    switch report.source {
    case .measurement: return takeMeasurement(report, at: now)
    case .dated, .position: return takePosition(report, at: now)
    case .satellites: return takeSatellites(report, at: now)
    case .date: return takeDate(report, at: now)
    case .other:
      skipped &+= 1
      return false
    }
  }

  /// Keeps the age of all that was heard when the reader's clock goes back.
  /// - Parameter lost: by how much it went back.
  public mutating func clockWentBack(by lost: Interval) {
    if let fix { self.fix?.at = fix.at - lost }
    if let voice { self.voice?.at = voice.at - lost }
    if let active { self.active?.at = active.at - lost }
    date = nil
  }

  private mutating func takeMeasurement(_ read: Report, at now: Instant) -> Bool {
    let quality = read.quality
    if let voice = voiceNow(now), voice.talker != read.talker,
      (quality, read.satellites) <= (voice.quality, voice.satellites)
    {
      return false
    }
    voice = Voice(talker: read.talker, quality: quality, satellites: read.satellites, at: now)
    guard read.hasFix else { return loseSignal() }
    let isSpatial = read.altitude != nil && read.satellites >= 4
    let mode = isSpatial ? FixMode.threeDimensional : .twoDimensional
    fix = GPSFix(
      quality: quality, mode: max(mode, activeNow(now)?.mode ?? mode), latitude: read.latitude,
      longitude: read.longitude, altitude: read.altitude ?? 0, accuracy: read.accuracy,
      satellites: read.satellites, utc: utc(of: read.time, at: now), at: now)
    return true
  }

  private mutating func takePosition(_ read: Report, at now: Instant) -> Bool {
    let heard = voiceNow(now)
    guard read.hasFix else { return heard == nil ? loseSignal() : false }
    var utc: UInt32 = 0
    if read.source == .dated {
      date = nil
      takeDay(read, at: now)
      utc = date?.utc ?? 0
    } else {
      utc = self.utc(of: read.time, at: now)
    }
    guard heard?.quality != GPSQuality.none else { return false }
    var next = GPSFix(
      quality: .weak, mode: .twoDimensional, latitude: read.latitude,
      longitude: read.longitude, altitude: fix?.altitude ?? 0,
      accuracy: GPSFix.unknownAccuracy, satellites: 0, utc: utc, at: now)
    if heard != nil, let fix {
      next.quality = fix.quality
      next.mode = fix.mode
      next.accuracy = fix.accuracy
      next.satellites = fix.satellites
    } else if let active = activeNow(now), read.kind?.isMeasured ?? true {
      next.quality = GPSQuality(
        isMeasured: active.mode == .threeDimensional, hdop: active.hdop,
        satellites: active.satellites)
      next.mode = active.mode
      next.accuracy = GPSFix.accuracy(hdop: active.hdop)
      next.satellites = active.satellites
      self.active?.isUsed = true
    }
    fix = next
    return true
  }

  private mutating func takeSatellites(_ gsa: Report, at now: Instant) -> Bool {
    guard gsa.mode != .noFix else { return false }
    // Some receivers send a sentence for each system in one epoch: the one with most satellites
    // counts. Too few is the safer error.
    var used = gsa.satellites
    if let active = activeNow(now), !active.isUsed { used = max(used, active.satellites) }
    active = Active(mode: gsa.mode, satellites: used, hdop: gsa.hdop, isUsed: false, at: now)
    let before = mode(at: now)
    guard before != .noFix, before != gsa.mode else { return false }
    // Some receivers state two dimensions for a fix with fourteen satellites and an altitude.
    if gsa.mode < before, let fix, fix.satellites >= 4 { return false }
    fix?.mode = gsa.mode
    return true
  }

  private mutating func takeDate(_ zda: Report, at now: Instant) -> Bool {
    if quality(at: now) != .none { takeDay(zda, at: now) }
    return false
  }

  private mutating func takeDay(_ read: Report, at now: Instant) {
    guard let day = read.day, let time = read.time else { return }
    date = UTCDate(day: day, secondOfDay: time / 1_000, at: now)
  }

  @inline(never)
  private func utc(of time: UInt32?, at now: Instant) -> UInt32 {
    guard let date, let time else { return 0 }
    return date.utc(ofSecond: time / 1_000, at: now)
  }

  @inline(never)
  private func voiceNow(_ now: Instant) -> Voice? {
    voice.flatMap { now - $0.at <= Self.silence ? $0 : nil }
  }

  @inline(never)
  private func activeNow(_ now: Instant) -> Active? {
    active.flatMap { now - $0.at <= Self.silence ? $0 : nil }
  }

  private mutating func loseSignal() -> Bool {
    guard let last = fix, last.quality != .none else { return false }
    fix?.quality = .none
    fix?.mode = .noFix
    return true
  }
}

/// The last date that an RMC with a fix, or a ZDA beside a fix, stated. It completes sentences that
/// have only a time.
struct UTCDate {
  let day: UInt32
  let secondOfDay: UInt32
  let at: Instant

  var utc: UInt32 { day * UTC.secondsPerDay + secondOfDay }

  /// Seconds since 1970-01-01 of a time of day read at `now`. The day is the one that brings it
  /// nearest to the dated time; 0 when that is more than an hour old.
  func utc(ofSecond second: UInt32, at now: Instant) -> UInt32 {
    guard now - at <= .minutes(60) else { return 0 }
    let noon = UTC.secondsPerDay / 2
    var day = day
    if second > secondOfDay + noon { day -= 1 }
    if second + noon < secondOfDay { day += 1 }
    return day * UTC.secondsPerDay + second
  }
}
