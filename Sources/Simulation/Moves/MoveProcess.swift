import AlertCore
import FobBase
import WireProtocol

/// One run of a core process with several accounts: their cores, and what `CoreProcess`,
/// `LineOwner` and `CommitThread` have of them.
final class MoveProcess {
  final class Core {
    var core: AlertCore
    var output = CoreOutput()
    /// Effects are being performed, and new ones are taken over.
    var isPerforming = false
    /// The wake that is on the agenda.
    var wake = Instant.never

    init(_ core: AlertCore) { self.core = core }

    func step(_ input: CoreInput, at now: Timestamp) { core.step(input, at: now, into: &output) }
  }

  var cores: [Core] = []
  var lane = MoveLane()
  var lastMove: UInt64 = 0
  /// How many effects are performed before it is killed; nil: it is not to be.
  var effectsUntilKill: Int?
  var downFor = Interval.zero
  /// Requests without an answer.
  var asked: [RequestID: MoveSchedule.Action] = [:]
  /// For each line the account that has it; nil: none has heard its keychain.
  var lines: [Int?]
  var owners = KeychainOwners()

  init(lines: Int) { self.lines = Array(repeating: nil, count: lines) }

  /// The account that goes on with a keychain's open presses; nil: a claim is being decided.
  func heir(of device: DeviceID) -> Int? {
    guard let claimer = owners.claimer(of: device)?.index else { return owners.index(of: device) }
    let devices = cores[claimer].core.account.devices
    return devices?.contains(device.text) == true ? claimer : nil
  }
}

/// The state of the thread that commits: batches that wait go together, and each alone, or with the
/// other side of its move, where that fails.
struct MoveLane {
  typealias Side = (batch: CommitBatch, account: Int)

  private var sides = MoveSides<Side>()
  private var waiting: [[Side]] = []
  /// What is being written.
  private(set) var underWay: [[Side]] = []
  /// Of a transaction that has failed, still to be tried.
  private var alone: [[Side]] = []
  /// When the disk answers, and what.
  private(set) var fate: Disk.Fate?

  var transaction: Disk.Transaction {
    underWay.flatMap { $0.map { ($0.account, $0.batch.changes) } }
  }

  mutating func put(_ side: Side, isApart: Bool) {
    if let move = side.batch.move, !isApart {
      let both = sides.add(side, of: move)
      if !both.isEmpty { waiting.append(both) }
    } else {
      waiting.append([side])
    }
  }

  /// - Returns: whether there is something to write.
  mutating func begin() -> Bool {
    guard fate == nil else { return false }
    if !alone.isEmpty {
      underWay = [alone.removeFirst()]
    } else {
      (underWay, waiting) = (waiting, [])
    }
    return !underWay.isEmpty
  }

  mutating func decide(_ fate: Disk.Fate) { self.fate = fate }

  /// The disk has answered.
  /// - Returns: the sides that have ended so; none: each is tried alone first.
  mutating func finish() -> [Side] {
    let done = underWay
    defer { (underWay, fate) = ([], nil) }
    guard fate?.failure != nil, done.count > 1 else { return done.flatMap(\.self) }
    alone = done
    return []
  }
}
