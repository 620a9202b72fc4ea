import AlertCore
import FobBase
import WireProtocol

/// Runs the alarm cores and performs their effects in order; the process may be killed between any
/// two.
extension MoveWorld {
  func handle(_ input: CoreInput, _ account: Int, _ process: MoveProcess) {
    guard self.process === process else { return }
    process.cores[account].step(input, at: timestamp)
    performAll(account, process)
  }

  /// As `CoreRunner.performAll`: effects that come meanwhile are taken over.
  func performAll(_ account: Int, _ process: MoveProcess) {
    guard !process.cores[account].isPerforming else { return }
    process.cores[account].isPerforming = true
    while self.process === process, !process.cores[account].output.isEmpty {
      var effects = MoveEffects(world: self, process: process, account: account)
      var output = CoreOutput()
      swap(&output, &process.cores[account].output)
      output.perform(by: &effects)
    }
    process.cores[account].isPerforming = false
    arm(account, process)
  }

  private func arm(_ account: Int, _ process: MoveProcess) {
    guard self.process === process else { return }
    let due = process.cores[account].core.nextWake(after: timestamp)?.at
    let wake = due.map { max(now, moment(of: $0)) } ?? .never
    guard wake != process.cores[account].wake else { return }
    process.cores[account].wake = wake
    guard wake <= schedule.end else { return }
    at(wake) { [unowned self] in
      guard self.process === process, process.cores[account].wake == wake else { return }
      process.cores[account].wake = .never
      handle(.wake, account, process)
    }
  }

  // MARK: Batches

  fileprivate func commit(_ batch: CommitBatch, _ account: Int, _ process: MoveProcess) {
    process.lane.put((batch, account), isApart: mistake?.isApart() ?? false)
    beginCommit(process)
  }

  private func beginCommit(_ process: MoveProcess) {
    if process.lane.begin() { decide(process) }
  }

  /// The disk decides what becomes of the transaction under way.
  func decide(_ process: MoveProcess) {
    let fate = disk.fate(&random, at: now)
    process.lane.decide(fate)
    guard fate.answersAt != .never else { return }
    at(fate.answersAt) { [unowned self] in
      guard self.process === process else { return }
      let transaction = process.lane.transaction
      if fate.failure == nil { apply(transaction) } else { disk.fail(transaction) }
      let ended = process.lane.finish()
      beginCommit(process)
      for (batch, account) in ended {
        let end: CoreInput =
          fate.failure.map { .commitFailed(batch.number, reason: $0) } ?? .committed(batch.number)
        handle(end, account, process)
      }
    }
  }

  func apply(_ transaction: Disk.Transaction) {
    disk.apply(transaction)
    witness.stored(transaction, disk.tables, at: now)
  }

  // MARK: Messages

  fileprivate func deliver(
    _ notification: Notification, _ account: Int, _ process: MoveProcess
  ) {
    let isTold = !isRefusing
    if isTold { witness.tells(notification, by: account, disk.tables, at: now) }
    // An answer that is lost with the process leaves the message told.
    carry(to: process) { [unowned self] in
      let error = isTold ? nil : "refused"
      handle(.answered(key: notification.key, error: error), account, process)
    }
  }
}

private struct MoveEffects: EffectPerformer {
  let world: MoveWorld
  let process: MoveProcess
  let account: Int

  func goesOn() -> Bool {
    guard world.process === process else { return false }
    guard let left = process.effectsUntilKill else { return true }
    process.effectsUntilKill = left - 1
    if left == 0 { world.kill(for: process.downFor) }
    return left > 0
  }

  func acknowledge(_ ack: EventAck, on link: LinkID) { world.acknowledge(ack, on: link) }

  func commit(_ batch: CommitBatch) { world.commit(batch, account, process) }

  func deliver(_ notification: Notification) { world.deliver(notification, account, process) }

  func indicate(_ indication: Indication, to links: [LinkID]?) {}

  func answer(_ request: RequestID, _ answer: Answer) {
    world.answered(request, answer, account, process)
  }

  func tell(_ event: AuditEvent) { world.told(event, account, process) }
}
