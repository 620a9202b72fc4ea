import AlertCore
import Judge
import TestSupport
import Testing
import WireProtocol

@testable import Simulation

/// Claims in mid-alarm, whatever the disk does and whenever the process dies.
struct MoveWorldTests {
  @Test func `no press is lost, doubled or left to an account that it is not of`() {
    let seeds: ClosedRange<UInt64> = Soak.isOn ? 1...40_000 : 1...400
    var (presses, moves, messages) = (0, 0, 0)
    for seed in seeds {
      let world = MoveWorld(MoveSchedule(seed: seed))
      let violations = world.run()
      presses += world.witness.pressCount
      moves += world.witness.moves
      messages += world.witness.messages
      guard violations.isEmpty else {
        Issue.record("seed \(seed): \(violations)\n\(MoveSchedule(seed: seed).words)")
        return
      }
    }
    print(
      "\(seeds.count) worlds of moves: \(presses) presses, \(moves) sides of moves,"
        + " \(messages) messages")
  }

  @Test func `a seed is a world`() {
    func end() -> [String] {
      let world = MoveWorld(MoveSchedule(seed: 5))
      _ = world.run()
      return world.disk.tables.map { "\($0.events.map(\.record.identity))" }
    }
    #expect(end() == end())
  }

  @Test(arguments: MoveMistake.allCases)
  func `each mistake in a move is found`(_ mistake: MoveMistake) {
    expectFound(mistake.rawValue, in: 1..<401) { seed in
      MoveWorld(MoveSchedule(seed: seed), mistake: MoveSaboteur(mistake)).run()
    }
  }
}

/// What a process might do wrong when presses move.
enum MoveMistake: String, CaseIterable {
  case twoTransactions = "moves a press in two transactions"
  case giverKeeps = "the giver keeps what it gave"
  case givesRefused = "gives what a refused claim would have taken"
  case forgetsHeard = "claims without what others have heard"
  case looksAtClaimAlone = "moves nothing that comes behind a claim"
  case startMovesNothing = "a start moves nothing"
  case movesToNobody = "moves to an account with nobody to tell"
}

/// Makes one planted mistake wherever there is room for it.
final class MoveSaboteur: MoveMutationHook {
  private let mistake: MoveMistake

  init(_ mistake: MoveMistake) { self.mistake = mistake }

  func isApart() -> Bool { mistake == .twoTransactions || mistake == .giverKeeps }

  func gives() -> Bool { mistake != .giverKeeps }

  func takes(_ isMoving: inout Bool) { if mistake == .givesRefused { isMoving = true } }

  func claims(_ heard: inout [EventIdentity]) { if mistake == .forgetsHeard { heard = [] } }

  func looks(atStart: Bool) -> Bool {
    mistake != (atStart ? .startMovesNothing : .looksAtClaimAlone)
  }

  func asksNobody() -> Bool { mistake == .movesToNobody }
}
