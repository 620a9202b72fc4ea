import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// Moves side by side, as the accounts' batches and the commit thread have them.
struct MoveSidesTests {
  private static let now = Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: 0)

  private static func side(_ move: UInt64) -> Changes {
    var changes = Changes()
    changes.moves = [
      Move(
        id: MoveID(rawValue: move), incident: IncidentID(EventRecord.press(1).identity),
        pending: [])
    ]
    return changes
  }

  @Test func `a batch has one move at most, and what was decided before the next one`() {
    var queue = CommitQueue()
    var note = Changes()
    note.log = [AuditEvent(.wrongPIN, at: Self.now)]
    for changes in [note, Self.side(1), note, Self.side(2), note, Self.side(3)] {
      queue.take(changes, at: Self.now)
    }
    var sizes: [Int] = []
    var moves: [UInt64?] = []
    var decisions: [UInt64?] = []
    while let batch = queue.nextCommit(at: Self.now) {
      sizes.append(batch.parts.count)
      moves.append(batch.move?.rawValue)
      decisions.append(queue.committed(batch.number)?.decision)
    }
    #expect(sizes == [3, 2, 1] && moves == [1, 2, 3] && decisions == [3, 5, 6])
    #expect(queue.lastDecision == 6 && !queue.hasUncommitted)
  }

  @Test func `a batch that fails is tried again before the next move`() {
    var queue = CommitQueue()
    for move: UInt64 in 1...2 { queue.take(Self.side(move), at: Self.now) }
    var moves: [UInt64?] = []
    for isDurable in [false, true, false, true] {
      guard let batch = queue.nextCommit(at: Self.now) else { continue }
      moves.append(batch.move?.rawValue)
      if isDurable {
        _ = queue.committed(batch.number)
      } else {
        _ = queue.failed(batch.number, "full", retry: Self.now, at: Self.now)
      }
    }
    #expect(moves == [1, 1, 2, 2] && !queue.hasUncommitted)
  }

  /// Each account has one batch under way, with one move at most.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `sides never wait for each other in a circle`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var sides = MoveSides<Int>()
    var queues = (0..<5).map { _ in CommitQueue() }
    var underWay: [UInt64?] = Array(repeating: nil, count: queues.count)
    var durable: [UInt64: Int] = [:]
    func commit(_ account: Int) {
      guard underWay[account] == nil, let batch = queues[account].nextCommit(at: Self.now),
        let move = batch.move
      else { return }
      underWay[account] = batch.number
      let both = sides.add(account, of: move)
      let isDurable = Int.random(in: 0..<4, using: &random) > 0
      for side in both {
        guard let number = underWay[side] else { continue }
        underWay[side] = nil
        if isDurable {
          durable[move.rawValue, default: 0] += 1
          _ = queues[side].committed(number)
        } else {
          _ = queues[side].failed(number, "full", retry: Self.now, at: Self.now)
        }
      }
    }
    for move: UInt64 in 1...200 {
      let holder = Int.random(in: 0..<5, using: &random)
      let heir = (holder + Int.random(in: 1..<5, using: &random)) % 5
      for account in [holder, heir] { queues[account].take(Self.side(move), at: Self.now) }
      if Bool.random(using: &random) { commit(Int.random(in: 0..<5, using: &random)) }
    }
    for _ in 0..<2_000 { for account in 0..<5 { commit(account) } }
    #expect(durable.count == 200 && durable.values.allSatisfy { $0 == 2 }, "seed \(seed)")
    #expect(queues.allSatisfy { !$0.hasUncommitted }, "seed \(seed)")
  }
}
