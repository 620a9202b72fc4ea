import Emulator
import FobBase
import SerialIO
import Sinks
import Storage
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Bridge

/// Several accounts in one process, each with a keychain of its own.
@Suite struct SeveralAccountsTests {
  private let rig: BridgeRig
  private let sink: RecordingSink
  private let keychains: [EmulatedKeychain]
  private let accounts: [AlertBridge]

  /// Account 1 has no keychain, accounts 2 and 3 have one each, and nobody has the last one.
  init() throws {
    let folder = try ScratchDirectory()
    let names = ["a", "b", "c"]
    let sink = try RecordingSink()
    let rig = try BridgeRig([], account: .none, sinks: [sink], in: folder)
    accounts = try (2...3).map { number in
      try rig.bridge.add(Self.account(number, DeviceID.bench(UInt32(number))))
    }
    keychains = try names.enumerated().map { index, name in
      try EmulatedKeychain.started(in: folder, named: name, serial: UInt32(index + 2))
    }
    for name in names { try rig.bridge.add(DeviceSpec(pty: folder.path(name))) }
    for keychain in keychains { try keychain.wait(for: .linked) }
    (self.rig, self.sink) = (rig, sink)
  }

  private static func account(_ number: Int, _ device: DeviceID) -> Account {
    Account(
      name: "Owner \(number)", email: "owner-\(number)@example.org",
      contacts: [
        Contact(
          id: "contact-1", name: "Contact of \(number)", address: "contact-\(number)@example.org")
      ], devices: [device.text])
  }

  private func wait(
    for state: EmergencyState, of account: AlertBridge,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try rig.journal.wait("state \(state)", at: location) { account.status.state == state }
  }

  private func wait(
    until keychain: EmulatedKeychain, shows shown: ShownState,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try rig.journal.wait("shows \(shown)", at: location) {
      (try? keychain.state().shown) == "\(shown)"
    }
  }

  @Test func `a press is the alarm of its keychain's owner, and nobody else's`() throws {
    _ = try keychains[1].press()
    try wait(for: .emergencySent, of: accounts[1])
    try wait(until: keychains[1], shows: .accepted)
    #expect(sink.taken.map(\.contact.address) == ["contact-3@example.org"])
    #expect(try accounts[1].store.presses().count == 1)
    for other in [rig.bridge, accounts[0]] {
      #expect(other.status.state == .noEmergency)
      #expect(try other.store.presses().isEmpty)
    }
    #expect(try keychains[0].state().shown == "idle")
  }

  @Test func `one owner's end of an alarm leaves another's open`() throws {
    for keychain in keychains.prefix(2) { _ = try keychain.press() }
    for account in accounts { try wait(for: .emergencySent, of: account) }
    let answer = try Waiting.answer { accounts[0].perform(.cancel, answer: $0) }
    #expect(answer.refusal == nil)
    #expect(accounts[0].status.state != .emergencySent)
    #expect(accounts[1].status.state == .emergencySent)
  }

  @Test func `a keychain that nobody has claimed is told so, and its press is kept`() throws {
    try wait(until: keychains[2], shows: .unclaimed)
    _ = try keychains[2].press()
    try wait(until: keychains[2], shows: .failed)
    try rig.journal.wait("it is kept") { (try? rig.store.presses().count) == 1 }
    #expect(sink.tried.isEmpty)
  }

  @Test func `a keychain that is claimed is its new owner's from then on`() throws {
    let device = DeviceID.bench(4)
    let answer = try Waiting.answer {
      accounts[0].change(.claim(device, email: nil), pin: nil, answer: $0)
    }
    #expect(answer.refusal == nil)
    try wait(until: keychains[2], shows: .idle)
    _ = try keychains[2].press()
    try wait(for: .emergencySent, of: accounts[0])
    #expect(accounts[1].status.state == .noEmergency)
  }

  @Test func `a claim in mid-alarm makes the open press the alarm of who claims`() throws {
    _ = try keychains[2].press()
    try wait(until: keychains[2], shows: .failed)
    let answer = try Waiting.answer {
      accounts[0].change(.claim(.bench(4), email: nil), pin: nil, answer: $0)
    }
    #expect(answer.refusal == nil && answer.isDurable && answer.state != .noEmergency)
    try wait(for: .emergencySent, of: accounts[0])
    try wait(until: keychains[2], shows: .accepted)
    #expect(sink.taken.map(\.contact.address) == ["contact-2@example.org"])
    #expect(rig.bridge.status.state == .emergencyEnded)
    #expect(try rig.store.incidents().map(\.endReason) == [.moved])
    #expect(try accounts[0].store.incidents().map(\.presses.count) == [1])
    // The end is the new owner's alone, and the next press, too.
    #expect(try Waiting.answer { accounts[0].perform(.cancel, answer: $0) }.refusal == nil)
    try wait(until: keychains[2], shows: .ended)
    _ = try keychains[2].press()
    try wait(for: .emergencySent, of: accounts[0])
    #expect(try rig.store.incidents().count == 1)
  }

  @Test func `an owner who claims the keychain that was pressed has the alarm at once`() throws {
    let rig = try BridgeRig([], account: Self.account(1, .bench(98)), sinks: [sink])
    let press = EventRecord.press(1, serial: 99)
    rig.bridge.runner.handle(.event(LinkID(rawValue: 1), press, happenedAt: nil))
    #expect(rig.bridge.status.state == .emergencySendingFailed)
    let answer = try Waiting.answer {
      rig.bridge.change(.claim(.bench(99), email: nil), pin: nil, answer: $0)
    }
    #expect(answer.refusal == nil)
    try rig.waitFor(.emergencySent)
    #expect(sink.taken.map(\.contact.address) == ["contact-1@example.org"])
  }

  @Test func `a press that comes to the first account behind the claim is its owner's`() throws {
    let press = EventRecord.press(1, serial: 3)
    rig.bridge.runner.handle(.event(LinkID(rawValue: 90), press, happenedAt: nil))
    try wait(for: .emergencySent, of: accounts[1])
    #expect(sink.taken.map(\.contact.address) == ["contact-3@example.org"])
    try rig.journal.wait("it has moved") {
      (try? rig.store.incidents().map(\.endReason)) == [.moved]
    }
    accounts[1].runner.handle(.event(LinkID(rawValue: 90), press, happenedAt: nil))
    #expect(try accounts[1].store.incidents().map(\.presses.count) == [1])
  }

  /// It was on its way while the account gave its keychain up.
  @Test func `a press that comes to who has given its keychain up alarms who claims it next`()
    throws
  {
    let left = try Waiting.answer {
      accounts[0].change(.disconnect(.bench(2)), pin: nil, answer: $0)
    }
    #expect(left.refusal == nil)
    let press = EventRecord.press(1, serial: 2)
    accounts[0].runner.handle(.event(LinkID(rawValue: 90), press, happenedAt: nil))
    try rig.journal.wait("it is the first account's") {
      rig.bridge.status.state == .emergencySendingFailed
        && (try? accounts[0].store.incidents().map(\.endReason)) == [.moved]
    }
    let claimed = try Waiting.answer {
      accounts[1].change(.claim(.bench(2), email: nil), pin: nil, answer: $0)
    }
    #expect(claimed.refusal == nil)
    try wait(for: .emergencySent, of: accounts[1])
    #expect(sink.taken.map(\.contact.address) == ["contact-3@example.org"])
    #expect(try rig.store.incidents().map(\.endReason) == [.moved])
  }

  @Test func `an alarm stays with those who are told until who claims has somebody to tell`()
    throws
  {
    let rig = try BridgeRig([], sinks: [sink])
    let owner = try rig.bridge.add(Account(name: "Owner", contacts: [], devices: []))
    rig.bridge.runner.handle(
      .event(LinkID(rawValue: 1), .press(1, serial: 99), happenedAt: nil))
    try rig.waitFor(.emergencySent)
    let claimed = try Waiting.answer {
      owner.change(.claim(.bench(99), email: nil), pin: nil, answer: $0)
    }
    #expect(claimed.refusal == nil && owner.status.state == .noEmergency)
    #expect(rig.bridge.status.state == .emergencySent)
    let number = ContactDraft.Number(number: "+15555550100", chosen: true)
    let contact = ContactDraft(name: "Contact 1", numbers: [number])
    let added = try Waiting.answer { owner.change(.addContact(contact), pin: nil, answer: $0) }
    #expect(added.refusal == nil)
    try rig.journal.wait("it has moved") {
      owner.status.state == .emergencySent
        && (try? rig.store.incidents().map(\.endReason)) == [.moved]
    }
    #expect(sink.taken.contains { $0.kind == .raise && $0.contact.name == "Contact 1" })
  }

  @Test func `a press that a given-up keychain says again alarms nobody`() throws {
    let presses = [1, 2].map { EventRecord.press(UInt32($0), serial: 2) }
    accounts[0].runner.handle(.event(LinkID(rawValue: 90), presses[0], happenedAt: nil))
    try wait(for: .emergencySent, of: accounts[0])
    #expect(try Waiting.answer { accounts[0].perform(.cancel, answer: $0) }.refusal == nil)
    let left = try Waiting.answer {
      accounts[0].change(.disconnect(.bench(2)), pin: nil, answer: $0)
    }
    #expect(left.refusal == nil)
    rig.bridge.runner.handle(.event(LinkID(rawValue: 90), presses[0], happenedAt: nil))
    #expect(rig.bridge.status.state == .noEmergency)
    rig.bridge.runner.handle(.event(LinkID(rawValue: 90), presses[1], happenedAt: nil))
    #expect(rig.bridge.status.state == .emergencySendingFailed)
  }

  /// Its ack was lost, so the keychain says it again, to its next owner.
  @Test func `a press that its owner of before has raises no alarm of the next owner`() throws {
    let device = DeviceID.bench(9)
    let presses = [1, 2].map { number in
      EventRecord(
        EventIdentity(
          deviceID: device, number: EventNumber(boot: 1, n: UInt32(number)), kind: .pressed,
          clock: UInt64(number) * 1_000_000, bootNonce: 7))
    }
    var changes = Changes()
    changes.events = [
      HeardEvent(presses[0], at: rig.bridge.process.timestamp(), happenedAt: nil)
    ]
    try accounts[0].store.commit(changes)
    let answer = try Waiting.answer {
      accounts[1].change(.claim(device, email: nil), pin: nil, answer: $0)
    }
    #expect(answer.refusal == nil)
    accounts[1].runner.handle(.event(LinkID(rawValue: 9), presses[0], happenedAt: nil))
    #expect(accounts[1].status.state == .noEmergency)
    accounts[1].runner.handle(.event(LinkID(rawValue: 9), presses[1], happenedAt: nil))
    try wait(for: .emergencySent, of: accounts[1])
    #expect(try accounts[1].store.presses().map(\.event) == ["1.2"])
  }

  @Test func `of two who claim a keychain at once one has it`() throws {
    for round in 0..<20 as Range<UInt32> {
      let answers = try accounts.map { _ in try Waiting<Answer>() }
      let threads = try zip(accounts, answers).map { account, answer in
        try BlockingThread(name: "claim") {
          account.change(.claim(.bench(100 + round), email: nil), pin: nil) { answer.put($0) }
        }
      }
      for thread in threads { #expect(thread.join(within: .seconds(30))) }
      #expect(try answers.map { try $0.get() }.count { $0.refusal == nil } == 1)
      let text = DeviceID.bench(100 + round).text
      #expect(accounts.count { $0.account.devices?.contains(text) == true } == 1)
    }
  }

  @Test func `an address by which another logs in is refused`() throws {
    var profile = AccountChange.Profile()
    profile.email = "Owner-3@example.org"
    let answer = try Waiting.answer {
      accounts[0].change(.edit(profile), pin: nil, answer: $0)
    }
    #expect(answer.refusal == .invalid("email", "is another account's"))
  }

  @Test func `another's keychain cannot be claimed, and its owner is named with a mask`() throws {
    let answer = try Waiting.answer {
      accounts[0].change(.claim(.bench(3), email: nil), pin: nil, answer: $0)
    }
    #expect(answer.refusal == .claimed(by: "owne****@example.org"))
    #expect(throws: UserCommand.Refusal.claimed(by: "owne****@example.org")) {
      try rig.bridge.add(Self.account(9, .bench(3)))
    }
  }

  @Test func `what an account has paired is its own to unpair, and goes with it alone`() throws {
    let keyring = try #require(rig.bridge.devices.keyring)
    for serial in 2...4 as ClosedRange<UInt32> {
      try keyring.keep(PairingKey(low: 1, high: UInt64(serial)), of: .bench(serial))
    }
    #expect(rig.bridge.pairings(leftBy: .erase) == [.bench(4)])
    #expect(accounts.map { $0.pairings(leftBy: .erase) } == [[.bench(2)], [.bench(3)]])
    let refusal = try Waiting<PairingRefusal?>()
    accounts[0].unpair(.bench(3), pin: nil, by: "test") { refusal.put($0) }
    #expect(try refusal.get() == .refused(.claimed(by: "owne****@example.org")))
  }

  @Test func `a deleted account's keychain is nobody's, and its next press is kept`() throws {
    try accounts[0].delete(by: "test")
    #expect(rig.bridge.accounts.map(\.number.rawValue) == [1, 3])
    #expect(rig.bridge[accounts[0].number] == nil)
    try wait(until: keychains[0], shows: .unclaimed)
    _ = try keychains[0].press()
    try rig.journal.wait("it is kept") { (try? rig.store.presses().count) == 1 }
    #expect(try accounts[0].store.presses().isEmpty)
    _ = try keychains[1].press()
    try wait(for: .emergencySent, of: accounts[1])
    // Its number is not given again.
    #expect(try rig.bridge.add(Self.account(9, .bench(9))).number.rawValue == 4)
  }

  @Test func `a keychain of an account that was logged out and is deleted is heard`() throws {
    let out = try Waiting.answer { accounts[0].change(.logOut, pin: nil, answer: $0) }
    #expect(out.refusal == nil)
    try accounts[0].delete(by: "test")
    _ = try keychains[0].press()
    try rig.journal.wait("it is kept") { (try? rig.store.presses().count) == 1 }
  }

  @Test func `no account is deleted during its alarm`() throws {
    _ = try keychains[0].press()
    try wait(for: .emergencySent, of: accounts[0])
    #expect(throws: UserCommand.Refusal.locked) { try accounts[0].delete(by: "test") }
    #expect(accounts[0].status.state == .emergencySent)
    #expect(accounts[0].account.exists && rig.bridge.accounts.count == 3)
  }

  @Test func `an account is deleted whose alarm has ended, though nobody has resumed`() throws {
    _ = try keychains[0].press()
    try wait(for: .emergencySent, of: accounts[0])
    #expect(try Waiting.answer { accounts[0].perform(.cancel, answer: $0) }.refusal == nil)
    #expect(accounts[0].status.state == .emergencyEnded)
    try accounts[0].delete(by: "test")
    #expect(rig.bridge.accounts.map(\.number.rawValue) == [1, 3])
  }

  @Test func `a press that the first account was left with is its owner's at the start`() throws {
    let folder = try ScratchDirectory()
    do {
      let rig = try BridgeRig([], sinks: [sink], in: folder)
      let press = EventRecord.press(1, serial: 2)
      rig.bridge.runner.handle(.event(LinkID(rawValue: 1), press, happenedAt: nil))
      try rig.waitFor(.emergencySent)
      rig.stop()
    }
    let store = try AlertStore(directory: folder.path("state"))
    let second = store.store(of: try #require(AccountNumber(2)))
    try second.setAccount(Self.account(9, .bench(2)))
    let journal = Journal()
    let bridge = try AlertBridge(account: BridgeRig.account, store: store, sinks: [sink]) {
      journal.put($0)
    }
    defer { bridge.stop() }
    try bridge.serveAccounts()
    try bridge.start([])
    #expect(bridge.accounts.map(\.status.state.isOpen) == [false, true])
    try journal.wait("both are told") {
      let told = sink.taken.map { "\($0.kind.rawValue) \($0.contact.address)" }
      return Set(told).isSuperset(of: [
        "raise contact-9@example.org", "closing contact-1@example.org",
        "closing contact-2@example.org",
      ])
    }
  }

  @Test func `accounts and what is open in them outlive the process`() throws {
    let folder = try ScratchDirectory()
    do {
      let rig = try BridgeRig([], account: .none, sinks: [sink], in: folder)
      let accounts = try (2...3).map { number in
        try rig.bridge.add(Self.account(number, DeviceID.bench(UInt32(number))))
      }
      let device = try RawDevice(in: folder)
      try rig.bridge.add(DeviceSpec(pty: folder.path("keychain")))
      try device.say(EventRecord.press(1, serial: 2))
      try rig.journal.wait("it is told") { accounts[0].status.state == .emergencySent }
      rig.stop()
    }
    let store = try AlertStore(directory: folder.path("state"))
    let bridge = try AlertBridge(account: .none, store: store, sinks: [sink]) { _ in }
    defer { bridge.stop() }
    try bridge.serveAccounts()
    try bridge.start([])
    #expect(bridge.accounts.map(\.number.rawValue) == [1, 2, 3])
    #expect(bridge.accounts.map(\.status.state) == [.noEmergency, .emergencySent, .noEmergency])
    #expect(bridge.accounts.map(\.account.name) == ["", "Owner 2", "Owner 3"])
  }

  @Test func `an erasure keeps no other account's batch waiting`() throws {
    let gate = try OneShot<Void>()
    let began = try Waiting<Bool>()
    let commits = Mutex<[[AccountNumber]]>([])
    let rig = try BridgeRig([], account: .none, sinks: []) { batches in
      commits.withLock { $0.append(batches.map(\.store.number)) }
      began.put(true)
      // Open from then on.
      try? gate.pass()
      return AlertStore.commit(batches)
    }
    let owners = try (2...4).map { number in
      try rig.bridge.add(Self.account(number, DeviceID.bench(UInt32(number) + 100)))
    }
    let answers = try owners.map { _ in try Waiting<Answer>() }
    func ask(_ index: Int, _ change: AccountChange) {
      owners[index].perform(.change(change, isProven: true)) { answers[index].put($0) }
    }
    ask(0, .logOut)
    #expect(try began.get())
    for (index, change) in [(1, AccountChange.erase), (2, .logOut)] { ask(index, change) }
    gate.open(with: ())
    for answer in answers { #expect(try answer.get().refusal == nil) }
    #expect(commits.withLock { $0.map { $0.map(\.rawValue) } } == [[2], [4], [3]])
  }
}
