import AlertCore
import Emulator
import FobBase
import Judge

/// A machine with clocks and a disk, and the one process on it that bridges and decides.
final class SimulatedHost {
  let index: Int
  private let setting: Setting
  var disk = Disk()
  var random: SplitMix64
  /// The process; nil while it is down.
  var run: HostRun?
  /// It is started again then.
  var startsAt = Instant(microseconds: 0)
  /// When its process ended, or when it was rebooted since.
  var downSince = Instant(microseconds: 0)
  /// What is wrong with each notification channel, by contact.
  var channelFaults: [[ChannelFault?]] = []
  /// As its watchers were told last; nil while it is down.
  var state: Workflow?
  private var boot: UInt64 = 1
  private var bootedAt = Instant(microseconds: -3_600_000_000)
  /// Of the wall clock against true time.
  private(set) var wallOffset = Interval.zero

  init(_ index: Int, _ setting: Setting, seed: UInt64) {
    self.index = index
    random = SplitMix64(state: seed)
    self.setting = setting
    forgetChannelFaults()
  }

  func forgetChannelFaults() {
    channelFaults = Array(
      repeating: Array(repeating: nil, count: setting.places), count: setting.ways)
  }

  var nextDue: Instant { run?.nextDue ?? startsAt }

  // MARK: Clocks

  func timestamp(at now: Instant) -> Timestamp {
    Timestamp(
      boot: boot, instant: bootClock(at: now),
      wall: 1_750_000_000_000_000 + (now.microseconds + wallOffset.microseconds))
  }

  func bootClock(at now: Instant) -> Instant {
    Instant(microseconds: (now - bootedAt).microseconds)
  }

  /// True time of a moment of the boot clock.
  func trueInstant(_ instant: Instant) -> Instant {
    bootedAt + .microseconds(instant.microseconds)
  }

  func setWallClock(by interval: Interval) { wallOffset = wallOffset + interval }

  /// The boot clock begins anew.
  func reboot(at now: Instant) {
    boot += 1
    bootedAt = now - .seconds(8)
  }
}
