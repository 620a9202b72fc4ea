import AlertCore
import FobBase
import SerialIO
import Sinks
import Storage
import Synchronization
import WireProtocol

/// What the accounts of one process share: the lines, the notification channels, and the threads
/// that commit and keep the time. It knows whose each keychain is.
final class CoreProcess: Sendable {
  private struct Accounts {
    /// It has this process, so the process does not have it.
    weak var first: AlertBridge?
    var others: [AccountNumber: AlertBridge] = [:]
    var owners = KeychainOwners()
    var lastMove: UInt64 = 0
  }

  let clock: HostClock
  private let boot: UInt64
  let devices: DeviceRegistry
  let sinkQueues: SinkQueues
  let commits: CommitThread
  let timer: WakeTimer
  /// Signalled after a step if a thread waits for its result.
  let steps: EventSignal
  private let accounts = Mutex(Accounts())
  private let several = Atomic(false)
  /// Some keychain's alarm stays with the first account.
  private let someStay = Atomic(false)
  private let numbering = Mutex(())
  private let threads = Mutex<[BlockingThread]>([])
  private let hasStopBegun = Atomic(false)
  private let hasStopped = Atomic(false)

  init(
    _ clock: HostClock, _ devices: DeviceRegistry, _ sinkQueues: SinkQueues,
    commit: @escaping AlertBridge.Commit
  ) throws {
    self.clock = clock
    self.devices = devices
    self.sinkQueues = sinkQueues
    boot = try BootID.current()
    commits = try CommitThread(commit)
    timer = try WakeTimer(clock)
    steps = try EventSignal()
  }

  func timestamp() -> Timestamp { clock.timestamp(boot: boot) }

  /// Nothing more is committed.
  var isStopped: Bool { hasStopped.load(ordering: .acquiring) }

  // MARK: Accounts

  /// Serves an account from now on.
  func serve(_ bridge: AlertBridge) {
    let account = bridge.store.number
    accounts.withLock { accounts in
      if account == .first {
        accounts.first = bridge
      } else {
        accounts.others[account] = bridge
        several.store(true, ordering: .releasing)
      }
    }
    learnDevices(of: bridge)
  }

  /// Serves a deleted account no longer: lines of keychains that were still its are handed over.
  func remove(_ account: AccountNumber) {
    timer.set(nil, for: account)
    let left = accounts.withLock { accounts in
      accounts.others[account] = nil
      return accounts.owners.remove(account)
    }
    devices.renewOwners(of: left)
  }

  var hasSeveralAccounts: Bool { several.load(ordering: .acquiring) }

  /// Keychains that an account has got or given up are found from now on. Lines whose keychain is
  /// another account's now are handed over.
  func learnDevices(of bridge: AlertBridge) {
    var changed: Set<DeviceID> = []
    var learnt: Account
    repeat {
      learnt = bridge.account
      changed.formUnion(
        accounts.withLock { $0.owners.learn(learnt, of: bridge.store.number) })
      // Another thread may have been overtaken that had a newer list.
    } while bridge.account.devices != learnt.devices
    guard hasSeveralAccounts, !changed.isEmpty else { return }
    tellEvents(of: changed, from: bridge)
    self.devices.renewOwners(of: changed)
    guard isStarted else { return }
    for bridge in [bridge, self[.first]].compactMap(\.self) { bridge.tellPaired() }
  }

  /// Keychains that were ever given up are the first account's: it is not alarmed by presses that
  /// their owner has, and of which an ack was lost. Where they cannot be read, a press may be told
  /// twice. Reads the store.
  func tellOthersEvents() {
    guard hasSeveralAccounts, let first = self[.first],
      let devices = try? first.store.keychainsOfAll()
    else { return }
    for device in devices where owner(of: device) == nil {
      guard let heard = try? first.store.heardByOthers(from: device) else { continue }
      first.handle(.heardElsewhere(heard))
    }
  }

  /// As `tellOthersEvents`, of keychains that an account has just given up, out of its memory: the
  /// commit thread does this, and every account's commits would wait for a read.
  private func tellEvents(of devices: Set<DeviceID>, from bridge: AlertBridge) {
    guard let first = self[.first], first !== bridge else { return }
    for device in devices where owner(of: device) == nil {
      first.handle(
        .heardElsewhere(bridge.runner.read { core, _ in core.durableEvents(of: device) }))
    }
  }

  /// As `KeychainOwners.beginClaim`.
  func beginClaim(of device: DeviceID, for account: AccountNumber) -> AccountNumber? {
    accounts.withLock { $0.owners.beginClaim(of: device, for: account) }
  }

  /// As `KeychainOwners.endClaim`.
  func endClaim(of device: DeviceID, for account: AccountNumber) {
    accounts.withLock { $0.owners.endClaim(of: device, for: account) }
  }

  /// The id of a move that is about to be decided.
  func nextMove() -> MoveID {
    accounts.withLock { accounts in
      accounts.lastMove += 1
      return MoveID(rawValue: accounts.lastMove)
    }
  }

  /// The account that has claimed a keychain; nil: none has.
  func owner(of device: DeviceID) -> AccountNumber? { accounts.withLock { $0.owners[device] } }

  /// The account that goes on with a keychain's open presses: whoever has claimed it, although that
  /// may not be durable, or else the first.
  /// - Returns: nil while a claim is being decided, which takes them along.
  func heir(of device: DeviceID) -> AccountNumber? {
    let (owner, claimer) = accounts.withLock {
      ($0.owners[device], $0.owners.claimer(of: device))
    }
    guard let claimer else { return owner ?? .first }
    return self[claimer]?.account.devices?.contains(device.text) == true ? claimer : nil
  }

  /// The accounts that are served, in order.
  var served: [AlertBridge] {
    accounts.withLock { accounts in
      [accounts.first].compactMap(\.self)
        + accounts.others.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  subscript(account: AccountNumber) -> AlertBridge? {
    accounts.withLock { account == .first ? $0.first : $0.others[account] }
  }

  /// The core that has a keychain's line: that of the account that it is of, but for an alarm that
  /// stays with the first.
  /// - Returns: nil: the first account's.
  func core(of device: DeviceID) -> CoreRunner? {
    guard hasSeveralAccounts else { return nil }
    return accounts.withLock { $0.others[$0.owners.account(of: device)]?.runner }
  }

  /// As `KeychainOwners.stays`.
  func stays(_ device: DeviceID, _ stays: Bool) -> Bool {
    accounts.withLock { accounts in
      defer { someStay.store(!accounts.owners.staying.isEmpty, ordering: .releasing) }
      return accounts.owners.stays(device, stays)
    }
  }

  /// The state of an account's emergency has changed: lines of keychains whose alarm stayed with
  /// the first account, and has ended, are handed over.
  func stateChanged(of account: AccountNumber) {
    guard account == .first, someStay.load(ordering: .acquiring),
      let first = self[.first]?.runner
    else { return }
    let ended = first.machines.withLock { machines in
      let open = machines.core.keychainsWithOpenPresses
      return accounts.withLock { accounts in
        defer { someStay.store(!accounts.owners.staying.isEmpty, ordering: .releasing) }
        return accounts.owners.leave(open)
      }
    }
    devices.renewOwners(of: ended)
  }

  /// Accounts are made one at a time, so that each has a number of its own.
  func making<T>(_ body: () throws -> T) rethrows -> T {
    try numbering.withLock { _ in try body() }
  }

  // MARK: Its threads

  /// - Parameter prepare: called first on each thread of a notification channel.
  func start(prepare: @escaping @Sendable () -> Void) throws(IOFailure) {
    let started = [
      try commits.start(),
      try timer.start(
        { [weak self] in self?[$0]?.runner.wake() },
        everyone: { [weak self] in self?.served.map(\.store.number) ?? [] }),
    ]
    let sinks = try sinkQueues.start(prepare: prepare)
    threads.withLock { $0 = started + sinks }
  }

  /// Its threads serve the accounts.
  var isStarted: Bool { threads.withLock { !$0.isEmpty } }

  /// Decides everything that became due when a test moved the clock.
  func clockMoved() {
    timer.clockMoved()
    for bridge in served { bridge.runner.clockMoved() }
  }

  /// Waits until nothing is due and every decision is committed; false at the deadline.
  func isSettled(by deadline: Instant) -> Bool {
    served.allSatisfy { $0.runner.isSettled(by: deadline) }
  }

  /// Closes the devices, finishes the commits that are under way, and ends the threads. A sink that
  /// does not return in time is left behind: its message is sent again at the next start.
  func stop() {
    guard !hasStopBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
    devices.stop()
    let bridges = served
    let committed = BootClock.now() + .milliseconds(500)
    for bridge in bridges { bridge.runner.finish(by: committed) }
    hasStopped.store(true, ordering: .releasing)
    commits.stop()
    timer.stop()
    steps.signal()
    sinkQueues.close()
    for bridge in bridges { bridge.feed.close() }
    let latest = BootClock.now() + .milliseconds(400)
    // The lists are emptied, since their members hold the store's lock.
    let ending = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in ending where !thread.isCurrent {
      _ = thread.join(within: max(latest - BootClock.now(), .milliseconds(50)))
    }
    // The last to stop, so that the watcher still hears the others.
    devices.events.stop(within: max(latest - BootClock.now(), .milliseconds(50)))
    accounts.withLock { $0 = Accounts() }
  }
}
