import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// Accounts of one process on one disk in virtual time, on one thread: keychains that nobody has
/// claimed are pressed, and claimed in mid-alarm. Alarm core, both sides of a move and their
/// meeting are the production code; the world calls them as `CoreProcess`, `CoreRunner` and
/// `CommitThread` do.
///
/// Lines and feeds are left out, which `World` has: a keychain here says each press again until it
/// is acked, and what it says may be on its way to the account that has just given it up.
final class MoveWorld {
  struct Keychain {
    var pressing: PressingKeychain
    var losesAcks = false
  }

  /// The longest way of a word.
  private static let slowest: Int64 = 3_000

  let schedule: MoveSchedule
  let mistake: (any MoveMutationHook)?
  private(set) var now = Instant(microseconds: 0)
  let disk: Disk
  /// Nil while it is down.
  var process: MoveProcess?
  var keychains: [Keychain]
  var witness = MoveWitness()
  var random: SplitMix64
  /// As the first start finds them.
  let accounts: [Account]
  var isRefusing = false
  var lastRequest: UInt64 = 0
  private var boot: UInt64 = 1
  private var bootedAt = Instant(microseconds: -3_600_000_000)
  private var agenda = Agenda()

  init(_ schedule: MoveSchedule, mistake: (any MoveMutationHook)? = nil) {
    self.schedule = schedule
    self.mistake = mistake
    random = SplitMix64(state: SplitSeed.seed(schedule.seed, 8_001))
    disk = Disk(accounts: schedule.accounts)
    keychains = (0..<MoveSchedule.keychains).map { Keychain(pressing: PressingKeychain($0)) }
    accounts = (0..<schedule.accounts).map { number in
      var setting = Setting()
      setting.keychains = MoveSchedule.keychains
      setting.contacts = schedule.contacts[number]
      setting.isProtecting = number == 0
      setting.owners = schedule.owners
      var account = Account(setting, of: number)
      if schedule.isBench, number == 0 { account.devices = nil }
      return account
    }
    for (moment, action) in schedule.actions {
      at(moment) { [unowned self] in perform(action) }
    }
    at(schedule.calmFrom) { [unowned self] in becomeCalm() }
    start()
    for index in keychains.indices { sayAgain(index) }
  }

  /// Runs the world to its end.
  /// - Returns: the rules that were broken.
  func run() -> [Violation] {
    while let next = agenda.next, next <= schedule.end, witness.violations.isEmpty {
      now = next
      agenda.takeNext()()
    }
    agenda.removeAll()
    if witness.violations.isEmpty, let process {
      witness.finish(process, disk.tables, at: schedule.end)
    }
    return witness.violations
  }

  // MARK: Time

  func at(_ moment: Instant, _ act: @escaping () -> Void) {
    agenda.add(at: max(moment, now), act)
  }

  func after(_ interval: Interval, _ act: @escaping () -> Void) { at(now + interval, act) }

  /// The word takes its way to this run of the process, or is lost with it.
  func carry(to process: MoveProcess, _ act: @escaping () -> Void) {
    after(.microseconds(.random(in: 10...Self.slowest, using: &random))) { [unowned self] in
      if self.process === process { act() }
    }
  }

  var timestamp: Timestamp {
    Timestamp(
      boot: boot, instant: Instant(microseconds: (now - bootedAt).microseconds),
      wall: Setting.wallClock + now.microseconds)
  }

  func moment(of instant: Instant) -> Instant { bootedAt + .microseconds(instant.microseconds) }

  // MARK: What happens

  private func perform(_ action: MoveSchedule.Action) {
    switch action {
    case .press(let keychain): press(keychain)
    case .kill(let effects, let span):
      process?.effectsUntilKill = effects
      process?.downFor = span
    case .reboot(let span):
      kill(for: span)
      boot += 1
      bootedAt = now
    case .disk(let trouble, let span):
      disk.trouble = trouble
      after(span) { [unowned self] in mendDisk(of: trouble) }
    case .refuse(let span):
      isRefusing = true
      after(span) { [unowned self] in isRefusing = false }
    case .loseAcks(let keychain, let span):
      keychains[keychain].losesAcks = true
      after(span) { [unowned self] in keychains[keychain].losesAcks = false }
    default: ask(action)
    }
  }

  private func mendDisk(of trouble: DiskTrouble?) {
    guard disk.trouble == trouble else { return }
    disk.trouble = nil
    // A commit that hung goes on.
    if let process, process.lane.fate?.answersAt == .never { decide(process) }
  }

  private func becomeCalm() {
    mendDisk(of: disk.trouble)
    isRefusing = false
    process?.effectsUntilKill = nil
    for index in keychains.indices { keychains[index].losesAcks = false }
    if process == nil { start() }
  }

  // MARK: Keychains

  private func press(_ index: Int) {
    let identity = keychains[index].pressing.press(at: now)
    witness.pressed(identity)
    say(index)
  }

  /// Again and again.
  private func sayAgain(_ index: Int) {
    say(index)
    after(.seconds(1)) { [unowned self] in sayAgain(index) }
  }

  /// The account is looked up before the core takes the press: the keychain may change its owner
  /// between.
  private func say(_ index: Int) {
    guard let process else { return }
    hello(index, process)
    for press in keychains[index].pressing.presses where self.process === process {
      let account = process.owners.account(of: press.deviceID).index
      carry(to: process) { [unowned self] in
        witness.heard(press, by: account, disk.tables)
        let link = LinkID(rawValue: index)
        handle(.event(link, EventRecord(press), happenedAt: nil), account, process)
      }
    }
  }

  /// The line is that of its keychain's account.
  func hello(_ index: Int, _ process: MoveProcess) {
    let keychain = keychains[index].pressing
    let account = process.owners.account(of: keychain.device).index
    let before = process.lines[index]
    guard before != account else { return }
    process.lines[index] = account
    let link = LinkID(rawValue: index)
    if let before {
      handle(.linkDown(link, reason: "its keychain is not this account's now"), before, process)
    }
    handle(.linkUp(link, keychain.hello), account, process)
  }

  func acknowledge(_ ack: EventAck, on link: LinkID) {
    let index = link.rawValue
    for press in keychains[index].pressing.presses(ackedBy: ack) {
      witness.acked(press, disk.tables, at: now)
    }
    if !keychains[index].losesAcks { keychains[index].pressing.take(ack) }
  }
}
