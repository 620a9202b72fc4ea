import AlertCore
import FobBase
import Judge
import WireProtocol

/// Two cores on one store in virtual time, on one thread: who decides, what is durable, and what is
/// told when processes stand still, answers are lost and machines die. Alarm core, watch, proof and
/// batches are the production code.
///
/// Lines and feeds are left out, which `World` has: a keychain here says each press again until a
/// core acks it.
final class LeadWorld {
  /// The longest way of a word between two machines.
  private static let slowest: Int64 = 3_000

  let schedule: LeadSchedule
  let mistake: (any LeadMutationHook)?
  private(set) var now = Instant(microseconds: 0)
  var server = LeadServer()
  let cores: [LeadCore]
  var keychains: [LeadKeychain]
  var witness = LeadWitness()
  var random: SplitMix64
  let account: Account
  private var agenda = Agenda()
  private var lastConnection = 0
  private var lastRequest: UInt64 = 0
  /// What a process hears when a connection is lost.
  private var losses: [Int: [() -> Void]] = [:]

  init(_ schedule: LeadSchedule, mistake: (any LeadMutationHook)? = nil) {
    self.schedule = schedule
    self.mistake = mistake
    random = SplitMix64(state: SplitSeed.seed(schedule.seed, 7_001))
    account = Account(Setting(), of: 0)
    cores = (0..<2).map { index in
      LeadCore(
        index, drift: index == 0 ? 150 : -150,
        seed: SplitSeed.seed(schedule.seed, 7_002 + UInt64(index)))
    }
    keychains = (0..<2).map { LeadKeychain($0) }
    for (moment, action) in schedule.actions {
      at(moment) { [unowned self] in perform(action) }
    }
    at(schedule.calmFrom) { [unowned self] in becomeCalm() }
    for core in cores { start(core) }
    for index in keychains.indices { say(index) }
  }

  /// Runs the world to its end.
  /// - Returns: the rules that were broken.
  func run() -> [Violation] {
    while let next = agenda.next, next <= schedule.end, witness.violations.isEmpty {
      now = next
      agenda.takeNext()()
    }
    agenda.removeAll()
    losses = [:]
    if witness.violations.isEmpty {
      witness.finish(server.rows, contacts: account.contacts.map(\.id), at: schedule.end)
    }
    return witness.violations
  }

  // MARK: Time

  func at(_ moment: Instant, _ act: @escaping () -> Void) {
    agenda.add(at: max(moment, now), act)
  }

  func after(_ interval: Interval, _ act: @escaping () -> Void) { at(now + interval, act) }

  /// The word takes its way.
  func carry(_ act: @escaping () -> Void) {
    after(.microseconds(.random(in: 50...Self.slowest, using: &random)), act)
  }

  /// A process does something, once it does not stand still.
  func by(_ core: LeadCore, _ run: LeadRun, _ act: @escaping () -> Void) {
    guard core.run === run else { return }
    guard core.pausedUntil > now else { return act() }
    at(core.pausedUntil) { [unowned self] in by(core, run, act) }
  }

  // MARK: Connections

  /// - Returns: nil where the server does not answer.
  func connect(_ core: LeadCore) -> Int? {
    guard !core.isCutOff, !server.isAway else { return nil }
    lastConnection += 1
    core.connections.insert(lastConnection)
    return lastConnection
  }

  private func isReached(_ connection: Int, _ core: LeadCore) -> Bool {
    !core.isCutOff && !server.isAway && core.connections.contains(connection)
  }

  /// They are lost for both ends, and the process may hear of it.
  func lose(_ connections: Set<Int>, of core: LeadCore) {
    core.connections.subtract(connections)
    for connection in connections.sorted() {
      let losses = losses.removeValue(forKey: connection) ?? []
      if Bool.random(using: &random) { for loss in losses { carry(loss) } }
    }
  }

  /// Asks the server something that changes nothing.
  /// - Parameter heard: gets the answer; nil: the connection is lost.
  func read<Value>(
    _ core: LeadCore, _ run: LeadRun, on connection: Int,
    _ question: @escaping (LeadServer) -> Value, heard: @escaping (Value?) -> Void
  ) {
    let hear = once(core, run, on: connection, heard)
    carry { [unowned self] in
      guard isReached(connection, core) else { return }
      let value = question(server)
      carry { [unowned self] in
        if isReached(connection, core) { hear(value) }
      }
    }
    after(.seconds(3)) { hear(nil) }
  }

  /// Has the server do a transaction.
  /// - Parameters:
  ///   - patience: without an answer for so long, the connection is given up.
  ///   - waits: goes on while a wait for the standby server is all that it waits for.
  ///   - heard: gets its end; nil: it is not known.
  func transact(
    _ core: LeadCore, _ run: LeadRun, on connection: Int, _ locks: [LeadServer.Row],
    patience: Interval, waits: Bool = false, passes: @escaping (LeadServer.Rows) -> Bool,
    apply: @escaping (inout LeadServer.Rows) -> Void, heard: @escaping (LeadServer.End?) -> Void
  ) {
    let hear = once(core, run, on: connection, heard)
    let transaction = LeadServer.Transaction(
      connection: connection, locks: locks, passes: passes, apply: apply
    ) { [unowned self] end in
      carry { [unowned self] in
        if isReached(connection, core) { hear(end) }
      }
    }
    carry { [unowned self] in
      guard isReached(connection, core) else { return }
      let number = server.begin(transaction)
      serve()
      after(LeadServer.lockPatience) { [unowned self] in
        server.giveUp(number).map { $0.end(.locked) }
        serve()
      }
    }
    func wait() {
      after(patience) { [unowned self] in
        waits && !core.isCutOff && server.waitsForStandby([connection]) ? wait() : hear(nil)
      }
    }
    wait()
  }

  /// A closure that is called once: for the answer, or for the loss of the connection.
  private func once<Value>(
    _ core: LeadCore, _ run: LeadRun, on connection: Int, _ heard: @escaping (Value?) -> Void
  ) -> (Value?) -> Void {
    var isHeard = false
    let hear: (Value?) -> Void = { [unowned self] value in
      by(core, run) {
        guard !isHeard else { return }
        isHeard = true
        heard(value)
      }
    }
    losses[connection, default: []].append { hear(nil) }
    return hear
  }

  // MARK: The server

  func serve() {
    let (pending, ended) = server.lock()
    for (transaction, end) in ended { transaction.end(end) }
    for number in pending { replicate(number) }
  }

  private func replicate(_ number: Int) {
    after(.microseconds(.random(in: 80...4_000, using: &random))) { [unowned self] in
      finish(server.replicate(number))
    }
  }

  private func finish(_ end: (LeadServer.Transaction, LeadServer.End)?) {
    guard let (transaction, end) = end else { return }
    transaction.end(end)
    serve()
  }

  private func standby(away: Bool) {
    let waiting = server.setStandby(away: away)
    if !away { for number in waiting { replicate(number) } }
  }

  private func loseAll() { for core in cores { lose(core.connections, of: core) } }

  private func failOver() {
    guard server.isAway else { return }
    server.failOver()
  }

  // MARK: What happens

  private func perform(_ action: LeadSchedule.Action) {
    switch action {
    case .press(let keychain): press(keychain)
    case .acknowledge: ask(.acknowledge(Contact.id(0)))
    case .disarm: ask(.disarm)
    case .kill(let core, let span): end(cores[core], for: span)
    case .end(let core, let span): release(cores[core], for: span)
    case .pause(let core, let span): cores[core].pausedUntil = min(now + span, schedule.calmFrom)
    case .lose(let core): lose(cores[core].connections, of: cores[core])
    case .cutOff(let core, let span):
      cores[core].isCutOff = true
      after(span) { [unowned self] in cores[core].isCutOff = false }
    case .standbyAway(let span):
      standby(away: true)
      after(span) { [unowned self] in standby(away: false) }
    case .cancelWaits:
      for (number, _) in server.pending { finish(server.cancel(number)) }
    case .serverDies(let span):
      guard !server.isAway else { return }
      server.die(&random)
      loseAll()
      after(span) { [unowned self] in failOver() }
    }
  }

  private func becomeCalm() {
    failOver()
    standby(away: false)
    for core in cores {
      core.isCutOff = false
      core.pausedUntil = now
    }
  }

  /// A person asks whichever core serves.
  private func ask(_ command: UserCommand) {
    for core in cores {
      guard let run = core.run, run.core != nil, core.pausedUntil <= now else { continue }
      lastRequest += 1
      handle(.userCommand(RequestID(rawValue: lastRequest), command), core, run)
    }
  }
}
