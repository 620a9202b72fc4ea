public import AlertCore
import Emulator
public import FobBase
public import Judge

/// The parts and the policy of a world, drawn by the seed before anything happens in it.
public struct Setting: Sendable {
  /// A seed draws 1 to 3.
  public var keychains = 1
  /// A seed draws 1 or 2; each has a core, a disk and the same account.
  public var hosts = 1
  /// Where the hosts are accounts of one process, on one machine and one disk: whose each keychain
  /// is at the beginning, by host; nil: nobody has claimed it. A seed draws 2 or 3 accounts then.
  /// Empty: each host has a process of its own.
  public var owners: [Int?] = []
  /// A bridge on another host; nil: none.
  public var bridge: RemoteBridgeSite?
  /// At the beginning; a seed draws 0 to 3.
  public var contacts = 2
  /// How many notification channels reach each contact.
  public var ways = 1
  /// Keychains that the account has at the beginning; nil: always every one.
  public var claimed: Set<Int>?
  /// At the beginning; while false nobody is told (R20).
  public var isLoggedIn = true
  /// At the beginning; while false triggers do not count (R48, R57).
  public var isProtecting = false
  /// The same at each host.
  public var policy = Policy()
  /// The contact bounces before it rests.
  public var bounces = true
  /// Drift of each keychain's clock, in parts per million.
  public var drift: [Int32] = [0]
  /// Time from end to end of a line, at least and at most, µs.
  public var latency: ClosedRange<Int64> = 200...900
  /// Bytes that arrive while nobody reads a line are kept for the next reader; false: they are
  /// lost.
  public var linesKeepBytes = false
  /// Each keychain that has a receiver hears its satellites once a second.
  public var hasGPS = false
  /// Keychains that have neither a battery nor a receiver, as a micro:bit, and say so.
  public var bare: Set<Int> = []
  /// A PIN is set; without one cancel is allowed.
  public var hasPIN = true
  /// The zone of the account at the beginning, for check-ins; nil: nobody asks for any.
  public var zone: Zone?
  /// The owner breathes, and counts what is noticed.
  public var hasExercises = false
  /// The owner looks back on alarms.
  public var hasReviews = false
  /// The owner erases the account.
  public var hasErasure = false
  /// Each keychain is paired, and somebody without a key is on the wires.
  public var isAttacked = false
  /// Faults happen before this; from then on everything is well.
  public var calmFrom = Instant(microseconds: 60_000_000)
  /// When the world is over; a seed draws 62 s after `calmFrom`.
  public var end = Instant(microseconds: 125_000_000)

  /// The hosts are accounts of one process.
  var isShared: Bool { !owners.isEmpty }

  /// The host that a keychain is plugged into at the beginning; the first has the lines of a
  /// process that hosts share.
  func host(of keychain: Int) -> Int { isShared ? 0 : keychain % hosts }

  /// Places for the contacts of the beginning, and for two who may come later.
  var places: Int { contacts + 2 }

  /// The names of the notification channels; empty where the configuration names none.
  var wayNames: [String] { ways > 1 ? (1...ways).map { "way \($0)" } : [] }

  /// A quiet world: nothing happens in it.
  public init() {}

  init(drawnWith random: inout SplitMix64) {
    keychains = [1, 1, 1, 2, 3].randomElement(using: &random)!
    hosts = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
    contacts = [0, 1, 2, 2, 3].randomElement(using: &random)!
    policy = Self.policy(&random)
    bounces = Bool.random(using: &random)
    let worst: Int32 = Bool.random(using: &random) ? 100 : 800
    drift = (0..<keychains).map { _ in Int32.random(in: -worst...worst, using: &random) }
    let least = Int64.random(in: 20...2_000, using: &random)
    latency = least...(least + Int64.random(in: 0...3_000, using: &random))
    linesKeepBytes = Bool.random(using: &random)
    hasGPS = Int.random(in: 0..<4, using: &random) == 0
    hasPIN = Int.random(in: 0..<4, using: &random) != 0
    calmFrom = Instant(microseconds: Int64.random(in: 10_000_000...90_000_000, using: &random))
    let isLong = Int.random(in: 0..<50, using: &random) == 0
    if isLong { calmFrom = calmFrom + .minutes(Int64.random(in: 5...40, using: &random)) }
    end = calmFrom + .seconds(62)
  }

  /// Draws an account of a real owner: mostly keychains are claimed, and some are unclaimed.
  mutating func drawAccount(_ random: inout SplitMix64) {
    isLoggedIn = Int.random(in: 0..<6, using: &random) != 0
    isProtecting = Bool.random(using: &random) && isLoggedIn
    policy.triggerCountdown = .seconds(Int64.random(in: 1...20, using: &random))
    guard Int.random(in: 0..<4, using: &random) != 0 else { return }
    claimed = Set((0..<keychains).filter { _ in Int.random(in: 0..<3, using: &random) != 0 })
  }

  /// Draws two or three accounts of one process. Mostly each has a keychain, and some keychains are
  /// nobody's.
  mutating func drawOwners(_ random: inout SplitMix64) {
    hosts = Int.random(in: 2...3, using: &random)
    let more = max(0, Int.random(in: 2...3, using: &random) - keychains)
    keychains += more
    drift += (0..<more).map { _ in Int32.random(in: -800...800, using: &random) }
    owners = (0..<keychains).map { keychain in
      switch Int.random(in: 0..<8, using: &random) {
      case 0: nil
      case 1: Int.random(in: 0..<hosts, using: &random)
      default: (keychain + 1) % hosts
      }
    }
  }

  /// Gives one world of four keychains without a battery and a receiver.
  mutating func drawBoards(_ random: inout SplitMix64) {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    bare = Set((0..<keychains).filter { _ in Bool.random(using: &random) })
  }

  /// Draws a bridge with at least one keychain, which may be moved later.
  mutating func drawBridge(_ random: inout SplitMix64) {
    let first = Int.random(in: 0..<keychains, using: &random)
    let others = (0..<keychains).filter { _ in Bool.random(using: &random) }
    bridge = RemoteBridgeSite(
      host: first % hosts, keychains: Set(others + [first]),
      drift: Int32.random(in: -300...300, using: &random))
  }

  /// Draws a policy. Half of all worlds have shorter times, so that each timer is met within a
  /// minute.
  private static func policy(_ random: inout SplitMix64) -> Policy {
    var policy = Policy()
    if Bool.random(using: &random) {
      policy.tracking = .seconds(Int64.random(in: 15...60, using: &random))
      policy.messageEvery = .seconds(Int64.random(in: 5...20, using: &random))
      policy.failAfter = .seconds(Int64.random(in: 10...40, using: &random))
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      policy.buttonCountdown = .seconds(Int64.random(in: 3...30, using: &random))
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      policy.profile = .guarded(PanicSlots(rawValue: UInt8.random(in: 0...31, using: &random)))
    }
    return policy
  }
}

extension Account {
  /// The account that the first start of a host finds.
  init(_ setting: Setting, of host: Int) {
    let claimed =
      setting.isShared
      ? Set((0..<setting.keychains).filter { setting.owners[$0] == host }) : setting.claimed
    self.init(
      name: "Owner", mobile: "+15555550199", country: "FR",
      contacts: (0..<setting.contacts).map {
        Contact(
          id: Contact.id($0), name: "Contact \($0 + 1)", address: "contact\($0 + 1)@example.org")
      }, pinHash: setting.hasPIN ? "*" : nil,
      devices: claimed.map { $0.sorted().map { DeviceID(keychain: $0).text } })
    isLoggedIn = setting.isLoggedIn
    isProtecting = setting.isProtecting
  }
}

extension DeviceID {
  /// The id of the keychain at a place of the world, from 0.
  init(keychain place: Int) { self = .bench(UInt32(place) + 1) }

  /// The number of a world's keychain for people, from 1.
  var number: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
}
