import AlertCore

/// The moves of open presses that are not durable yet, each between two accounts. The first account
/// takes part in any number of them, each other one in one at most. So no two threads wait for each
/// other's lock, and no batches in a circle for each other's side. Pure.
struct MovesUnderWay {
  private var last: UInt64 = 0
  /// The accounts of each, the first aside.
  private var accounts: [MoveID: [AccountNumber]] = [:]
  private var busy: Set<AccountNumber> = []
  /// The accounts that have presses to be moved when this one's move has ended.
  private var owing: [AccountNumber: Set<AccountNumber>] = [:]

  /// Begins a move, which `end` ends.
  /// - Returns: nil while another one of these accounts is under way, whose end returns `holder`.
  mutating func begin(from holder: AccountNumber, to heir: AccountNumber) -> MoveID? {
    let accounts = [holder, heir].filter { $0 != .first }
    if let other = accounts.first(where: { busy.contains($0) }) {
      owing[other, default: []].insert(holder)
      return nil
    }
    last += 1
    let move = MoveID(rawValue: last)
    self.accounts[move] = accounts
    busy.formUnion(accounts)
    return move
  }

  /// The move is durable, or nothing was to be moved. Both sides may say so.
  /// - Returns: the accounts whose presses are to be moved now.
  mutating func end(_ move: MoveID) -> Set<AccountNumber> {
    guard let ended = accounts.removeValue(forKey: move) else { return [] }
    busy.subtract(ended)
    return ended.reduce(into: []) { $0.formUnion(owing.removeValue(forKey: $1) ?? []) }
  }
}

/// Batches that are sides of moves, until all that are durable together have come. Pure.
struct MoveSides<Side> {
  private var sides: [Int: (side: Side, moves: [MoveID])] = [:]
  /// Which sides have come of each move.
  private var numbers: [MoveID: [Int]] = [:]
  private var last = 0

  /// - Parameter moves: at least one. An account has one batch under way, and so one side here.
  /// - Returns: the sides that are durable together, each of which has a move of those before it;
  ///   none while one is missing.
  mutating func add(_ side: Side, of moves: [MoveID]) -> [Side] {
    last += 1
    sides[last] = (side, moves)
    for move in moves { numbers[move, default: []].append(last) }
    var together = [last]
    var seen: Set<Int> = [last]
    var next = 0
    while next < together.count {
      for move in sides[together[next]]!.moves {
        guard let both = numbers[move], both.count == 2 else { return [] }
        together += both.filter { seen.insert($0).inserted }
      }
      next += 1
    }
    return together.map { number in
      let done = sides.removeValue(forKey: number)!
      for move in done.moves { numbers[move] = nil }
      return done.side
    }
  }
}
