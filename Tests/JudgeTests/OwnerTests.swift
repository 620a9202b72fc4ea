import FobBase
import Judge
import Testing
import WireProtocol

/// Two hosts that are accounts of one process, each with a keychain.
@Suite struct OwnerTests {
  private static let both: [Set<DeviceID>] = [[.bench(1)], [.bench(2)]]

  private func scene(_ keychains: [Set<DeviceID>] = both, isGuarded: Bool = false) -> Scene {
    Scene(accounts: keychains.map { AccountState(keychains: $0) }) {
      $0.keychains = 2
      $0.hosts = 2
      $0.devices = [.bench(1), .bench(2)]
      $0.isGuarded = isGuarded
    }
  }

  /// A press of a keychain of this scene.
  private func press(of serial: UInt32) -> Event { Event.press(1, of: serial) }

  /// Keychain 1 is given up by the first account, and claimed by the second.
  private func handOver(_ scene: inout Scene) {
    for (host, asking, keychains) in [
      (0, UserRequest.disconnect(.bench(1)), []),
      (1, .claim(.bench(1)), [.bench(1), .bench(2)]),
    ] as [(Int, UserRequest, Set<DeviceID>)] {
      let request = UInt64(80 + host)
      scene.see(.asked(host: host, request: request, asking))
      let account = AccountState(keychains: keychains)
      scene.see(.account(host: host, account))
      var batch = Batch()
      batch.account = account
      scene.see(.stored(host: host, batch))
      scene.see(
        .answered(
          host: host, request: request, .noEmergency, isRefused: false, isDurable: true))
    }
  }

  @Test(arguments: [(0, [.wrongOwner]), (1, [])] as [(Int, [Violation.Rule])])
  func `what a keychain says reaches its owner's core alone`(host: Int, found: [Violation.Rule]) {
    var scene = scene()
    scene.press(press(of: 2), keychain: 1)
    scene.see(.heard(host: host, press(of: 2)))
    #expect(scene.found == found)
  }

  @Test(arguments: [(0, []), (1, [.wrongOwner])] as [(Int, [Violation.Rule])])
  func `what nobody has claimed is the first account's`(host: Int, found: [Violation.Rule]) {
    var scene = scene([[.bench(1)], []])
    scene.press(press(of: 2), keychain: 1)
    scene.see(.heard(host: host, press(of: 2)))
    #expect(scene.found == found)
  }

  @Test(arguments: [([0], []), ([1], [.wrongOwner])] as [(Set<Int>, [Violation.Rule])])
  func `an account says what is true to its own keychains alone`(
    keychains: Set<Int>, found: [Violation.Rule]
  ) {
    var scene = scene()
    scene.see(.indicated(host: 0, incident: 0, .idle, sounder: false, to: keychains))
    #expect(scene.found == found)
  }

  @Test(arguments: [(1, [.wrongOwner]), (2, [])] as [(UInt32, [Violation.Rule])])
  func `an account logs what its own keychains have said`(serial: UInt32, found: [Violation.Rule]) {
    var scene = scene()
    var batch = Batch()
    batch.logged = [.bench(serial)]
    scene.see(.stored(host: 1, batch))
    #expect(scene.found == found)
  }

  @Test func `a keychain is of one account at most`() {
    #expect(scene([[.bench(1)], [.bench(1)]]).found == [.wrongOwner])
  }

  @Test(arguments: [(0, [.wrongOwner]), (1, [])] as [(Int, [Violation.Rule])])
  func `a keychain that was claimed anew is its new owner's`(host: Int, found: [Violation.Rule]) {
    var scene = scene()
    handOver(&scene)
    scene.press(press(of: 1))
    scene.see(.heard(host: host, press(of: 1)))
    #expect(scene.found == found)
  }

  /// It stands on the disk of the account that had the keychain before.
  @Test func `an old press is not the new owner's`() {
    var scene = scene(isGuarded: true)
    scene.hear(press(of: 1))
    scene.store([press(of: 1)])
    handOver(&scene)
    scene.see(.heard(host: 1, press(of: 1)))
    scene.store([press(of: 1)], host: 1)
    #expect(scene.found == [.pressDoubled])
  }

  @Test func `a press that no disk had when its keychain changed its owner may be both's`() {
    var scene = scene(isGuarded: true)
    scene.hear(press(of: 1))
    handOver(&scene)
    scene.see(.heard(host: 1, press(of: 1)))
    scene.store([press(of: 1)])
    scene.store([press(of: 1)], host: 1)
    #expect(scene.found.isEmpty)
  }

  @Test func `a press that no disk had at the claim may be both's, stored or not since`() {
    var scene = scene(isGuarded: true)
    scene.hear(press(of: 1))
    handOver(&scene)
    scene.store([press(of: 1)])
    scene.see(.heard(host: 1, press(of: 1)))
    scene.store([press(of: 1)], host: 1)
    #expect(scene.found.isEmpty)
  }

  /// A process takes the account as it stands when any change of it is done.
  @Test(
    arguments: [(.clickBreathes(true), []), (.addContact, [.wrongOwner])]
      as [(UserRequest, [Violation.Rule])])
  func `a keychain is given up when a change of its account is answered`(
    other: UserRequest, found: [Violation.Rule]
  ) {
    var scene = scene()
    scene.see(.asked(host: 1, request: 80, .disconnect(.bench(2))))
    scene.see(.account(host: 1, AccountState(keychains: [])))
    scene.see(.asked(host: 1, request: 81, other))
    scene.see(.answered(host: 1, request: 81, .noEmergency, isRefused: false, isDurable: false))
    scene.press(press(of: 2), keychain: 1)
    scene.see(.heard(host: 1, press(of: 2)))
    #expect(scene.found == found)
  }

  /// A process moves its alarm with the claim.
  @Test func `a press that came behind a claim may be both's`() {
    var scene = scene([[], []], isGuarded: true)
    scene.see(.asked(host: 1, request: 80, .claim(.bench(1))))
    scene.hear(press(of: 1))
    let account = AccountState(keychains: [.bench(1)])
    scene.see(.account(host: 1, account))
    var batch = Batch()
    batch.account = account
    scene.see(.stored(host: 1, batch))
    scene.see(.answered(host: 1, request: 80, .noEmergency, isRefused: false, isDurable: true))
    scene.store([press(of: 1)])
    scene.see(.heard(host: 1, press(of: 1)))
    scene.store([press(of: 1)], host: 1)
    #expect(scene.found.isEmpty)
  }

  @Test(arguments: [(6_000, []), (6_001, [.lightBeforeCommit])] as [(Int64, [Violation.Rule])])
  func `what the former owner has said is shown for a lease`(after: Int64, found: [Violation.Rule])
  {
    let press = press(of: 1)
    var scene = scene()
    scene.hear(press)
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    scene.tell(.raise, 1, of: press.name)
    scene.move(press.name, .emergencySending, .emergencySent)
    scene.store(in: press.name, row: .emergencySent, presses: [press.identity.number])
    scene.see(.indicated(host: 0, incident: press.name, .accepted, sounder: false, to: [0]))
    scene.show(.accepted)
    scene.disarm(press)
    handOver(&scene)
    scene.pass(after)
    scene.show(.idle)
    #expect(scene.found == found)
  }
}
