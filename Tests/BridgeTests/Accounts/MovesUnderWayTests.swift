import AlertCore
import TestSupport
import Testing

@testable import Bridge

/// Moves of open presses side by side, as accounts and the commit thread have them.
@Suite struct MovesUnderWayTests {
  private static func account(_ number: Int) -> AccountNumber { AccountNumber(number)! }

  @Test func `a move waits for those of its own accounts alone`() throws {
    var moves = MovesUnderWay()
    func begin(_ holder: Int, _ heir: Int) -> MoveID? {
      moves.begin(from: Self.account(holder), to: Self.account(heir))
    }
    let begun = [begin(1, 2), begin(1, 3)].compactMap(\.self)
    try #require(Set(begun).count == 2)
    #expect([begin(4, 2), begin(1, 3)] == [nil, nil])
    let owing = [begun[0], begun[0], begun[1]].map { moves.end($0) }
    #expect(owing == [[Self.account(4)], [], [.first]], "both sides say that it is durable")
    let last = try #require(begin(4, 2))
    #expect([begin(2, 1)] == [nil])
    let owed = moves.end(last)
    #expect(owed == [Self.account(2)])
  }

  /// Each account has one batch under way, into which all goes that waits.
  private struct Book {
    var waiting: [MoveID] = []
    var underWay: [MoveID]?
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `sides never wait for each other in a circle, and each comes once, with all of its moves`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var moves = MovesUnderWay()
    var sides = MoveSides<AccountNumber>()
    var books = Dictionary(uniqueKeysWithValues: (1...6).map { (Self.account($0), Book()) })
    var pairs: [MoveID: Set<AccountNumber>] = [:]
    var begun = 0
    func commit(_ account: AccountNumber) {
      guard let book = books[account], book.underWay == nil, !book.waiting.isEmpty else { return }
      books[account] = Book(underWay: book.waiting)
      let together = sides.add(account, of: book.waiting)
      let done = together.map { Set(books[$0]?.underWay ?? []) }
      for place in done.indices.dropFirst() {
        #expect(!done[place].isDisjoint(with: done[..<place].reduce([]) { $0.union($1) }))
      }
      let ended = done.reduce(into: Set<MoveID>()) { $0.formUnion($1) }
      #expect(Set(together) == ended.reduce(into: []) { $0.formUnion(pairs[$1] ?? []) })
      let isDurable = Int.random(in: 0..<4, using: &random) > 0
      for account in together {
        let tried = books[account]?.underWay ?? []
        books[account]?.underWay = nil
        if isDurable {
          for move in tried { _ = moves.end(move) }
        } else {
          books[account]?.waiting.insert(contentsOf: tried, at: 0)
        }
      }
      if isDurable { for move in ended { pairs[move] = nil } }
    }
    for _ in 0..<300 {
      let pair = (0..<2).map { _ in Self.account(Int.random(in: 1...6, using: &random)) }
      if pair[0] != pair[1], let move = moves.begin(from: pair[0], to: pair[1]) {
        begun += 1
        pairs[move] = Set(pair)
        for account in pair { books[account]?.waiting.append(move) }
      }
      if Bool.random(using: &random) {
        commit(Self.account(Int.random(in: 1...6, using: &random)))
      }
    }
    for _ in 0..<200 { for account in 1...6 { commit(Self.account(account)) } }
    #expect(pairs.isEmpty && begun > 20, "seed \(seed)")
    #expect(books.values.allSatisfy { $0.underWay == nil && $0.waiting.isEmpty })
  }
}
