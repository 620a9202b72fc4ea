import AlertCore
import FobBase
import WireProtocol

/// The accounts of the process: what people ask, whose each keychain is, and moves of open presses.
extension MoveWorld {
  // MARK: Life of the process

  func start() {
    guard process == nil else { return }
    if let found = disk.recoverLimbo(&random) { witness.stored(found, disk.tables, at: now) }
    let process = MoveProcess(lines: keychains.count)
    self.process = process
    for number in accounts.indices {
      var stored = disk.tables[number].state
      stored.isNew = disk.isNew
      let account = disk.tables[number].account ?? accounts[number]
      let own = (account.devices ?? []).compactMap { DeviceID(text: $0) }
      stored.identities = own.flatMap { heard($0, butBy: number) } + stored.identities
      process.cores.append(
        MoveProcess.Core(AlertCore(account: account, recovering: stored, at: timestamp)))
      _ = process.owners.learn(account, of: AccountNumber(index: number))
    }
    disk.isNew = false
    witness.started()
    for number in accounts.indices where self.process === process {
      tellWays(number, process)
      handle(.wake, number, process)
    }
    tellOthersEvents(of: keychains.map(\.pressing.device), process)
    if mistake?.looks(atStart: true) ?? true {
      moveOpenPresses(of: Array(accounts.indices), process)
    }
  }

  func kill(for span: Interval) {
    guard let process else { return }
    if let fate = process.lane.fate {
      if fate.failure != nil {
        disk.fail(process.lane.transaction)
      } else if Bool.random(using: &random) {
        apply(process.lane.transaction)
      }
    }
    self.process = nil
    after(span) { [unowned self] in start() }
  }

  /// The events that other accounts have of a keychain, as the store says.
  private func heard(_ device: DeviceID, butBy account: Int) -> [EventIdentity] {
    disk.tables.indices.filter { $0 != account }.flatMap { disk.tables[$0].events }
      .map(\.record.identity).filter { $0.deviceID == device }
  }

  /// Keychains that were given up are the first account's, which learns what others have of them.
  private func tellOthersEvents(of devices: some Sequence<DeviceID>, _ process: MoveProcess) {
    for device in devices.sorted(by: { $0.rawValue < $1.rawValue })
    where process.owners[device] == nil {
      handle(.heardElsewhere(heard(device, butBy: 0)), 0, process)
    }
  }

  // MARK: People

  func ask(_ action: MoveSchedule.Action) {
    guard let process else { return }
    lastRequest += 1
    let request = RequestID(rawValue: lastRequest)
    func ask(_ account: Int, _ command: UserCommand) {
      process.asked[request] = action
      handle(.userCommand(request, command), account, process)
    }
    func change(_ account: Int, _ change: AccountChange) {
      ask(account, .change(change, isProven: true))
    }
    switch action {
    case .claim(let index, let account):
      let device = keychains[index].pressing.device
      let number = AccountNumber(index: account)
      guard process.owners.beginClaim(of: device, for: number) == nil else { return }
      process.asked[request] = action
      claim(device, for: account, request, process)
    case .disconnect(let index, let account):
      change(account, .disconnect(keychains[index].pressing.device))
    case .disarm(let account): ask(account, .disarm)
    case .resume(let account): ask(account, .resume)
    case .acknowledge(let account): ask(account, .acknowledge(Contact.id(0)))
    case .endUnowned: ask(0, .endUnowned)
    case .trigger(let account, let index):
      let trigger = Trigger(
        source: .fall, device: keychains[index].pressing.device, key: "\(lastRequest)")
      ask(account, .trigger(trigger))
    case .logIn(let account): change(account, .logIn)
    case .logOut(let account): change(account, .logOut)
    case .addContact(let account):
      let number = ContactDraft.Number(number: "+15555550100", chosen: true)
      change(account, .addContact(ContactDraft(name: "New contact", numbers: [number])))
    case .removeContact(let account): change(account, .removeContact(Contact.id(0)))
    default: preconditionFailure("it is nobody's request")
    }
  }

  func answered(_ request: RequestID, _ answer: Answer, _ account: Int, _ process: MoveProcess) {
    let action = process.asked.removeValue(forKey: request)
    if case .claim(let index, _) = action {
      process.owners.endClaim(
        of: keychains[index].pressing.device, for: AccountNumber(index: account))
    }
    guard answer.refusal == nil else { return }
    let changed = process.owners.learn(
      process.cores[account].core.account, of: AccountNumber(index: account))
    tellOthersEvents(of: changed, process)
    renewLines(of: changed, process)
    tellWays(account, process)
    moveOpenPresses(of: [account, 0], process)
  }

  private func tellWays(_ account: Int, _ process: MoveProcess) {
    let ways = process.cores[account].core.account.contacts.map { ($0.id, ["way"]) }
    handle(.ways(Dictionary(ways) { $1 }), account, process)
  }

  private func renewLines(of devices: some Sequence<DeviceID>, _ process: MoveProcess) {
    for device in devices.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let index = keychains.firstIndex(where: { $0.pressing.device == device }),
        process.lines[index] != nil
      else { continue }
      hello(index, process)
    }
  }

  // MARK: Moves

  /// As `CoreProcess.claim`.
  private func claim(
    _ device: DeviceID, for account: Int, _ request: RequestID, _ process: MoveProcess
  ) {
    var heard = heard(device, butBy: account)
    witness.claims(device, by: account, at: now)
    mistake?.claims(&heard)
    func input(_ moved: MovedPresses?) -> CoreInput {
      let claim = AccountChange.claim(device, email: nil, heard: heard, moved: moved)
      return .userCommand(request, .change(claim, isProven: true))
    }
    guard account != 0 else {
      return handle(input(process.cores[0].core.unclaimedPresses(of: device)), 0, process)
    }
    move(device, from: 0, to: account, process) { presses, core in
      input(presses ?? core.unclaimedPresses(of: device))
    }
  }

  /// As `CoreRunner.move`.
  private func move(
    _ device: DeviceID, from holder: Int, to heir: Int, _ process: MoveProcess,
    _ input: (MovedPresses?, borrowing AlertCore) -> CoreInput?
  ) {
    process.lastMove += 1
    let move = MoveID(rawValue: process.lastMove)
    var (presses, stays) = process.cores[holder].core.openPresses(
      of: device, for: move, to: process.cores[heir].core)
    if mistake?.asksNobody() ?? false {
      (presses, stays) = (process.cores[holder].core.openPresses(of: device, for: move), false)
    }
    let hasLeft = holder == 0 && process.owners.stays(device, stays) && !stays
    guard let input = input(presses, process.cores[heir].core) else { return }
    process.cores[heir].step(input, at: timestamp)
    var isMoving = process.cores[heir].core.isMoving(move)
    if presses != nil { mistake?.takes(&isMoving) }
    if isMoving, mistake?.gives() ?? true {
      process.cores[holder].step(.movedAway(device, move), at: timestamp)
    }
    performAll(heir, process)
    performAll(holder, process)
    if hasLeft { renewLines(of: [device], process) }
  }

  /// As `CoreProcess.moveOpenPresses`.
  private func moveOpenPresses(of holders: [Int], _ process: MoveProcess) {
    for holder in holders where self.process === process {
      for device in process.cores[holder].core.keychainsWithOpenPresses {
        guard let heir = process.heir(of: device), heir != holder, self.process === process else {
          continue
        }
        move(device, from: holder, to: heir, process) { presses, _ in
          presses.map { .movedHere($0) }
        }
      }
    }
  }

  func told(_ event: AuditEvent, _ account: Int, _ process: MoveProcess) {
    if event.name == .incidentOpened || event.name == .pressAdded {
      guard let device = event.device.flatMap({ DeviceID(text: $0) }),
        process.heir(of: device) != account, mistake?.looks(atStart: false) ?? true
      else { return }
      moveOpenPresses(of: [account], process)
    } else if event.name == .stateChanged, account == 0 {
      let left = process.owners.leave(process.cores[0].core.keychainsWithOpenPresses)
      if !left.isEmpty { renewLines(of: left, process) }
    }
  }
}
