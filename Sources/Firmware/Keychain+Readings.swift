public import FobBase
import NMEA
public import WireProtocol

/// Battery, position and light.
extension Keychain {
  mutating func readBattery<B: Board>(_ board: inout B, at now: Instant) {
    let before = battery.level
    let event = battery.read(board.batteryMillivolts())
    if let event { commit(event, at: now, &board) }
    guard battery.hasBattery, now >= nextBatteryReport || battery.level != before else { return }
    nextBatteryReport = now + .seconds(60)
    send(
      BatteryReading(
        clock: UInt64(bitPattern: now.microseconds), millivolts: battery.millivolts,
        percent: battery.percent, level: battery.level), at: now)
  }

  mutating func readGPS<B: Board>(_ board: inout B) {
    var next = board.nextGPSByte()
    guard next != nil else { return }
    let now = board.now()
    while let byte = next {
      next = board.nextGPSByte()
      let heard = gps.reader.accepted
      if gps.receive(byte, at: now) {
        reportFix(at: now, every: .milliseconds(950))
      } else if gps.reader.accepted != heard {
        reportFix(at: now, every: gps.quality(at: now) == .none ? .seconds(10) : nil)
      }
    }
  }

  /// What whoever runs the firmware has to know after each poll. Mutating, and all at once: to ask
  /// a structure of this size for one property copies it.
  public mutating func changes() -> FirmwareChanges {
    var changes = FirmwareChanges()
    changes.session = link.session
    changes.nextTrace = trace.next
    changes.wantsToTransmit = !transmit.isEmpty
    return changes
  }

  /// Reports the fix at each change of quality.
  /// - Parameter every: also where the last report is so old; nil: not.
  mutating func reportFix(at now: Instant, every: Interval?) {
    let quality = Self.quality(gps.quality(at: now))
    let isDue = every.map { every in lastFixReport.map { now - $0 >= every } ?? true } ?? false
    guard quality != reportedQuality || isDue else { return }
    reportedQuality = quality
    lastFixReport = now
    var report = PositionFix()
    report.quality = quality
    report.clock = UInt64(bitPattern: now.microseconds)
    guard let fix = gps.fix else { return send(report, at: now) }
    report.clock = UInt64(bitPattern: fix.at.microseconds)
    report.latitude = fix.latitude
    report.longitude = fix.longitude
    report.altitude = fix.altitude
    report.accuracy = fix.accuracy
    report.satellites = fix.satellites
    report.utc = fix.utc
    send(report, at: now)
  }

  /// The position that an event committed at `now` would carry.
  public func position(at now: Instant) -> EventPosition {
    Self.position(of: gps.fix, quality: Self.quality(gps.quality(at: now)), at: now)
  }

  static func position(
    of fix: GPSFix?, quality: PositionQuality, at now: Instant
  ) -> EventPosition {
    guard let fix else { return EventPosition() }
    var position = EventPosition()
    position.quality = quality
    position.latitude = fix.latitude
    position.longitude = fix.longitude
    position.age = milliseconds(now - fix.at)
    position.accuracy = fix.accuracy
    position.satellites = fix.satellites
    return position
  }

  static func quality(_ quality: GPSQuality) -> PositionQuality {
    PositionQuality(rawValue: quality.rawValue) ?? .none
  }

  /// Whole milliseconds without a 64-bit division: ticks of 1.024 ms, then their 24 thousandths.
  static func milliseconds(_ interval: Interval) -> UInt32 {
    let ticks = UInt32(clamping: max(0, interval.microseconds) >> 10)
    guard ticks < 4_000_000_000 else { return .max - 1 }
    return ticks + ticks / 1_000 * 24 + ticks % 1_000 * 24 / 1_000
  }

  mutating func show<B: Board>(_ board: inout B) {
    let now = board.now()
    let isChanged = display.decide(
      unackedPress: mayHavePress, lowBattery: battery.level != .normal, at: now)
    display.player.advance(to: now)
    board.setLED(display.player.isOn)
    board.setSounder(display.shown.sounder)
    guard isChanged else { return }
    let shown = display.shown
    let argument =
      UInt64(shown.state.rawValue) | UInt64(shown.detail) << 8 | (shown.sounder ? 1 << 16 : 0)
    trace.note(.stateShown, argument, at: now)
    reportState(at: now)
  }

  mutating func reportState(at now: Instant) {
    let shown = display.shown
    send(
      LEDState(
        clock: UInt64(bitPattern: display.player.began.microseconds), shown: shown.state,
        detail: shown.detail, sounder: shown.sounder, source: shown.source,
        session: display.session, revision: display.revision), at: now)
  }
}

/// What a poll may have changed.
public struct FirmwareChanges {
  /// The session of the host's HELLO answered last, 0 when there was none.
  public fileprivate(set) var session: UInt32 = 0
  /// The index that the trace's next entry will have.
  public fileprivate(set) var nextTrace: UInt32 = 0
  /// Bytes wait for the link: poll again when it can take more.
  public fileprivate(set) var wantsToTransmit = false

  /// Nothing has changed.
  public init() {}
}
