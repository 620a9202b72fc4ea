import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// A machine with clocks, a disk, and one process that bridges and decides. Where hosts share a
/// process, each is an account of it, and machine and disk are the same one.
final class SimulatedHost {
  let index: Int
  private let setting: Setting
  let disk: Disk
  /// The account that its first start finds.
  let firstAccount: Account
  var random: SplitMix64
  /// The process; nil while it is down.
  var run: HostRun?
  /// When the process is started again.
  var startsAt = Instant(microseconds: 0)
  /// When its process ended, or when the host was last rebooted since.
  var downSince = Instant(microseconds: 0)
  /// The faults of the notification channels, by channel and contact.
  var channelFaults: [[ChannelFault?]] = []
  /// The emergency's state as watchers were last told; nil while the process is down.
  var state: Workflow?
  /// The keys of the keychains that its core is paired with: a file beside its disk's tables.
  var keys: [DeviceID: PairingKey] = [:]
  /// The account's zone; nil: there are no check-ins.
  var zone: Zone?
  private var boot: UInt64 = 1
  private var bootedAt = Instant(microseconds: -3_600_000_000)
  /// How far the wall clock is ahead of true time.
  private(set) var wallOffset = Interval.zero

  /// - Parameter disk: has rows for it, and for those that share its process.
  init(_ index: Int, _ setting: Setting, on disk: Disk, seed: UInt64) {
    self.index = index
    self.disk = disk
    firstAccount = Account(setting, of: index)
    random = SplitMix64(state: seed)
    self.setting = setting
    zone = setting.zone
    forgetChannelFaults()
  }

  /// Its place on the disk.
  var account: Int { setting.isShared ? index : 0 }

  /// What the disk has of it.
  var tables: Tables { disk.tables[account] }

  /// The events that the accounts beside it have of keychains.
  func heardByOthers(from keychains: [String]) -> [EventIdentity] {
    let others = disk.tables.indices.filter { $0 != account }.flatMap { disk.tables[$0].events }
    return others.map(\.record.identity).filter { keychains.contains($0.deviceID.text) }
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
      wall: Setting.wallClock + (now.microseconds + wallOffset.microseconds))
  }

  func bootClock(at now: Instant) -> Instant {
    Instant(microseconds: (now - bootedAt).microseconds)
  }

  /// The true time at which the boot clock shows an instant.
  func trueInstant(_ instant: Instant) -> Instant {
    bootedAt + .microseconds(instant.microseconds)
  }

  func setWallClock(by interval: Interval) { wallOffset = wallOffset + interval }

  /// The host is rebooted: its boot clock starts over.
  func reboot(at now: Instant) {
    boot += 1
    bootedAt = now - .seconds(8)
  }
}
