import FobBase

/// What happens in a world of moves, drawn by its seed.
struct MoveSchedule {
  enum Action {
    case press(keychain: Int)
    case claim(keychain: Int, by: Int)
    case disconnect(keychain: Int, by: Int)
    case disarm(account: Int)
    case resume(account: Int)
    case acknowledge(account: Int)
    /// An administrator ends what is nobody's.
    case endUnowned
    case trigger(account: Int, keychain: Int)
    case logIn(account: Int)
    case logOut(account: Int)
    case addContact(account: Int)
    case removeContact(account: Int)
    /// The process is killed after so many effects.
    case kill(effects: Int, for: Interval)
    case reboot(for: Interval)
    case disk(DiskTrouble, for: Interval)
    /// A notification channel refuses everything.
    case refuse(for: Interval)
    /// Acks to this keychain are lost.
    case loseAcks(keychain: Int, for: Interval)
  }

  static let keychains = 4

  let seed: UInt64
  /// At the beginning: how many contacts each account has, and whose each keychain is; nil:
  /// nobody's.
  let contacts: [Int]
  let owners: [Int?]
  /// The first account has every keychain that no other has claimed.
  let isBench: Bool
  private(set) var actions: [(at: Instant, action: Action)] = []
  /// No fault begins or lasts from then on.
  let calmFrom: Instant
  /// By then everything is told, acked and durable, and with its owner.
  var end: Instant { calmFrom + .seconds(60) }
  var accounts: Int { contacts.count }

  /// Each action in a line, for people.
  var words: String {
    let beginning = "contacts \(contacts), owners \(owners.map { $0 ?? -1 }), bench \(isBench)"
    let acts = actions.map { "\(Double($0.at.microseconds) / 1e6) s  \($0.action)" }
    return ([beginning] + acts).joined(separator: "\n")
  }

  init(seed: UInt64) {
    var random = SplitMix64(state: SplitSeed.seed(seed, 8_000))
    self.seed = seed
    let length = Int64.random(in: 5_000_000...40_000_000, using: &random)
    calmFrom = Instant(microseconds: 1_000_000 + length)
    contacts = (0..<3).map { _ in [0, 1, 2, 2].randomElement(using: &random)! }
    isBench = Int.random(in: 0..<4, using: &random) == 0
    owners = (0..<Self.keychains).map { _ in
      Bool.random(using: &random) ? nil : Int.random(in: 0..<3, using: &random)
    }
    for _ in 0..<Int.random(in: 2...8, using: &random) {
      var at = Instant(microseconds: 1_000_000 + Int64.random(in: 0..<length, using: &random))
      let longest: Int64 = Bool.random(using: &random) ? 3_000 : 2_000_000
      for action in Self.story(&random) {
        actions.append((at, action))
        at = at + .microseconds(.random(in: 0...longest, using: &random))
      }
    }
    actions = actions.filter { $0.at < calmFrom }
    // Those of one instant stay in their order.
    let order = actions.indices.sorted { (actions[$0].at, $0) < (actions[$1].at, $1) }
    actions = order.map { actions[$0] }
  }

  /// Some actions that belong together, in their order.
  private static func story(_ random: inout SplitMix64) -> [Action] {
    let keychain = Int.random(in: 0..<keychains, using: &random)
    let other = (keychain + Int.random(in: 1..<keychains, using: &random)) % keychains
    let account = Int.random(in: 0..<3, using: &random)
    let neighbor = (account + Int.random(in: 1..<3, using: &random)) % 3
    let press = Action.press(keychain: keychain)
    let claim = Action.claim(keychain: keychain, by: account)
    let both = [press, Action.press(keychain: other)]
    let claims = [claim, .claim(keychain: other, by: account)]
    let ends = [Action.disarm(account: account), .resume(account: account)]
    let leaves = ends + [.disconnect(keychain: keychain, by: account)]
    func span(_ longest: Int64) -> Interval {
      .microseconds(.random(in: 100_000...longest * 1_000_000, using: &random))
    }
    let kill = Action.kill(effects: Int.random(in: 0...12, using: &random), for: span(5))
    let trouble = Action.disk(DiskTrouble.moving.randomElement(using: &random)!, for: span(8))
    switch Int.random(in: 0..<17, using: &random) {
    case 0: return [press, claim]
    case 1: return [press, claim, press]
    case 2: return [press, kill, claim]
    case 3: return [press, claim, kill]
    case 4: return [trouble, press, claim, kill]
    case 5: return both + [trouble] + claims
    case 6: return both + claims + [kill]
    case 7: return both + [claim, .claim(keychain: other, by: neighbor), trouble]
    case 8: return [press, claim] + ends
    case 9: return [press] + leaves + [press, .claim(keychain: keychain, by: neighbor)]
    case 10: return leaves + [.claim(keychain: keychain, by: neighbor), press, kill]
    case 11: return [press, .trigger(account: 0, keychain: other), claim, kill]
    case 12: return both + [kill, claim, .disarm(account: 0)]
    case 13:
      let deaf = Action.loseAcks(keychain: keychain, for: span(8))
      return [deaf, press, .endUnowned] + ends + [claim]
    case 14: return [.logOut(account: account), press, claim, .logIn(account: account), claim]
    case 15:
      return [.removeContact(account: account), press, claim, .addContact(account: account)]
    default: return [.refuse(for: span(8)), press, claim, .reboot(for: span(5))]
    }
  }
}

extension DiskTrouble {
  /// Those of a disk that tells the truth.
  fileprivate static let moving: [DiskTrouble] = [.slow, .full, .hanging, .failingLate]
}
