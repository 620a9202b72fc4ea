import AlertCore
import FobBase
import WireProtocol

/// One run of a core process, with what its accounts share, as `CoreProcess` and `LineOwner` have
/// it: the lines, the thread that commits, and whose each keychain is.
final class ProcessRun {
  let ends: LineEnds
  var commits = CommitLane()
  /// How many effects are performed before the process is killed; nil: it is not to be.
  var effectsUntilKill: Int?
  /// When it is killed at the latest.
  var killedBy = Instant.never
  var downFor = Interval.zero
  /// For each line the account that has it, and the keychain that was last heard on it.
  private(set) var lines: [(account: Int, hello: Hello?)]
  var owners = KeychainOwners()

  init(lines: Int) {
    ends = LineEnds(lines: lines)
    self.lines = Array(repeating: (0, nil), count: lines)
  }

  // MARK: Whose each line is

  func lines(of account: Int) -> Set<Int> {
    Set(lines.indices.filter { lines[$0].account == account && lines[$0].hello != nil })
  }

  /// The account of the keychain that speaks in an input of a line.
  func account(for input: CoreInput, from line: Int) -> Int {
    switch input {
    case .event(_, let record, _): account(of: record.identity.deviceID, on: line)
    case .barePress(_, let identity), .unprovedPress(_, let identity):
      account(of: identity.deviceID, on: line)
    default: lines[line].account
    }
  }

  private func account(of device: DeviceID, on line: Int) -> Int {
    lines[line].hello?.deviceID == device ? lines[line].account : owners.index(of: device)
  }

  /// A line is its keychain's owner's from now on.
  /// - Returns: whose it was; nil: no keychain had been heard on it.
  func pass(_ line: Int, to hello: Hello) -> Int? {
    let before = lines[line]
    lines[line] = (owners.index(of: hello.deviceID), hello)
    return before.hello.map { _ in before.account }
  }
}

/// The state of the thread that commits, as `CommitThread` has it: batches that wait go together,
/// and each alone where that fails.
struct CommitLane {
  /// One batch of one account.
  struct Work {
    let batch: CommitBatch
    unowned let host: SimulatedHost
  }

  /// How a batch has ended; nil: it is durable.
  typealias End = (work: Work, failure: String?)

  private var waiting: [Work] = []
  /// The transaction under way; empty: the thread is idle.
  private(set) var works: [Work] = []
  private(set) var fate: Disk.Fate? { didSet { answersAt = fate?.answersAt ?? .never } }
  /// Of the transaction. Kept, since each turn asks for it.
  private(set) var answersAt = Instant.never
  /// Of a transaction that has failed: batches still to be tried alone, and how others ended.
  private var alone: [Work] = []
  private var ended: [End] = []

  var isBusy: Bool { fate != nil }
  var transaction: Disk.Transaction { works.map { ($0.host.account, $0.batch.changes) } }

  mutating func put(_ work: Work, at now: Instant) {
    waiting.append(work)
    begin(at: now)
  }

  /// The disk decides anew: what had hung goes on.
  mutating func goOn(at now: Instant) {
    guard isBusy, answersAt == .never else { return }
    decide(at: now)
  }

  /// The transaction under way has been answered, and the next one begins.
  /// - Returns: the ends of all batches that went together, once all are known.
  mutating func finish(at now: Instant) -> [End] {
    let failure = fate?.failure
    if failure != nil, works.count > 1 {
      alone = works
    } else {
      ended += works.map { ($0, failure) }
    }
    fate = nil
    works = []
    defer { begin(at: now) }
    guard alone.isEmpty else { return [] }
    defer { ended = [] }
    return ended
  }

  private mutating func begin(at now: Instant) {
    guard fate == nil else { return }
    if !alone.isEmpty {
      works = [alone.removeFirst()]
    } else {
      swap(&works, &waiting)
    }
    if !works.isEmpty { decide(at: now) }
  }

  private mutating func decide(at now: Instant) {
    let host = works[0].host
    fate = host.disk.fate(&host.random, at: now)
  }
}

/// Accounts as a world has them: counted from 0.
extension AccountNumber {
  init(index: Int) {
    guard let number = AccountNumber(index + 1) else {
      preconditionFailure("a world has some accounts")
    }
    self = number
  }

  var index: Int { rawValue - 1 }
}

extension KeychainOwners {
  /// The account that has claimed a keychain, or else the first.
  func index(of device: DeviceID) -> Int { (self[device] ?? .first).index }
}
