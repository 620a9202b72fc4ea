import AlertCore
import FobBase
import TestSupport
import Testing

@testable import Console

/// Who gives way when there is no room.
struct ConnectionTableTests {
  private static let here = HostAddress("127.0.0.1")
  private static let there = HostAddress("192.0.2.1")
  private static let start = Instant(microseconds: 0)
  /// Who has come at the start has had its time.
  private static let late = start + ConnectionTable.time

  private func admitted(
    _ table: inout ConnectionTable, from address: HostAddress? = here, at now: Instant = start
  ) throws -> (id: ConnectionTable.ID, replaced: ConnectionTable.ID?) {
    guard case .admitted(let id, let replaced) = table.open(from: address, at: now) else {
      throw Refused()
    }
    return (id, replaced)
  }

  private struct Refused: Error {}

  /// A client whose token is shown.
  private func known(
    _ table: inout ConnectionTable, of holder: Caller.Holder = .core,
    from address: HostAddress? = here
  ) throws -> ConnectionTable.ID {
    let id = try admitted(&table, from: address).id
    _ = table.shows(id, of: holder)
    return id
  }

  /// A client with a token whose whole request is being answered.
  private func served(
    _ table: inout ConnectionTable, of holder: Caller.Holder = .core,
    from address: HostAddress? = here
  ) throws -> ConnectionTable.ID {
    let id = try known(&table, of: holder, from: address)
    table.asks(id)
    table.isWhole(id)
    return id
  }

  private static func account(_ number: Int) -> Caller.Holder { .account(AccountNumber(number)!) }

  @Test func `a newcomer takes the place of the oldest that has not asked`() throws {
    var table = ConnectionTable(most: 8)
    let ids = try (0..<4).map { _ in try admitted(&table).id }
    table.asks(ids[0])
    #expect(try admitted(&table, at: Self.late).replaced == ids[1])
    #expect(try admitted(&table, at: Self.late).replaced == ids[2])
    #expect(table.count == 4)
    #expect(table.standing(of: ids[1]) == nil)
    // Answered, and silent since: younger than those that came before the answer.
    table.isAnswered(ids[0])
    #expect(try admitted(&table, at: Self.late).replaced == ids[3])
  }

  @Test func `who shows a token goes last, and who is being served behind all others`() throws {
    var table = ConnectionTable(most: 4)
    let served = try served(&table)
    let known = try self.served(&table)
    table.isAnswered(known)
    #expect(table.standing(of: served) == .served && table.standing(of: known) == .known)
    let stranger = try admitted(&table, from: Self.there).id
    let silent = try admitted(&table, from: Self.there).id
    table.asks(stranger)
    // From here there is no room but that of the one that is known and idle.
    #expect(try admitted(&table).replaced == known)
    // From there, first the one that has not asked in its time.
    #expect(try admitted(&table, from: Self.there, at: Self.late).replaced == silent)
    var full = ConnectionTable(most: 2)
    let only = try self.served(&full)
    #expect(try admitted(&full, from: Self.there).replaced == nil)
    #expect(try admitted(&full).replaced == only)
  }

  @Test func `who has not asked to the end gives way as who asks nothing`() throws {
    var table = ConnectionTable(most: 8)
    let heads = try (0..<3).map { _ in
      let head = try known(&table)
      table.asks(head)
      return head
    }
    let whole = try served(&table)
    for head in heads {
      _ = try served(&table)
      #expect(table.standing(of: head) == nil)
    }
    #expect(table.standing(of: whole) == .served)
  }

  @Test func `an account beyond its share displaces its own, and nobody else's`() throws {
    var table = ConnectionTable(most: 400)
    let share = ConsoleLimits.share(ofConnections: 400)
    let other = try known(&table, of: Self.account(3), from: Self.there)
    let first = try (0..<share).map { _ in try served(&table, of: Self.account(2)) }
    table.isAnswered(first[5])
    let next = try (0..<3).map { _ in try admitted(&table).id }
    // First the one that asks nothing, then the oldest.
    #expect(table.shows(next[0], of: Self.account(2)) == first[5])
    table.asks(next[0])
    table.isWhole(next[0])
    #expect(table.shows(next[1], of: Self.account(2)) == first[0])
    // A proxy's connection is of the account that it was last used for.
    #expect(table.shows(first[1], of: Self.account(3)) == nil)
    #expect(table.shows(next[2], of: Self.account(2)) == nil)
    #expect(table.standing(of: other) == .known)
    #expect(table.count == share + 2)
  }

  @Test func `where all are being served, the account that has most gives way`() throws {
    var table = ConnectionTable(most: 20)
    let few = try (0..<2).map { _ in try served(&table, of: Self.account(3)) }
    let many = try (0..<8).map { _ in try served(&table, of: Self.account(2)) }
    let more = try (0..<10).map { _ in try served(&table, of: Self.account(4), from: Self.there) }
    // Of this address, then of all.
    #expect(try admitted(&table).replaced == many[0])
    #expect(try admitted(&table).replaced != few[0])
    table.close(many[1])
    _ = try served(&table, from: HostAddress("192.0.2.9"))
    #expect(try admitted(&table, from: HostAddress("192.0.2.8")).replaced != few[0])
    #expect(few.allSatisfy { table.standing(of: $0) == .served })
    #expect(more.count { table.standing(of: $0) == nil } <= 1)
  }

  @Test func `a bridge's connection gives way to nobody else's, whether it asks or not`() throws {
    var table = ConnectionTable(most: 40)
    let bridge = try known(&table, of: .bridge("one"))
    for n in 0..<200 {
      let address = HostAddress("192.0.2.\(n % 3)")
      let one = try served(&table, of: n % 2 == 0 ? .core : Self.account(2), from: address)
      if n % 5 == 0 { table.isAnswered(one) }
    }
    #expect(table.standing(of: bridge) == .bridge)
    // One that opens ever more displaces its own, and another's is let in.
    for n in 0..<200 {
      _ = try served(&table, of: .bridge("two"), from: HostAddress("198.51.100.\(n % 3)"))
    }
    #expect(table.standing(of: bridge) == .bridge)
    let third = try served(&table, of: .bridge("three"))
    #expect(table.standing(of: third) == .bridge)
    var full = ConnectionTable(most: 2)
    _ = try known(&full, of: .bridge("one"))
    #expect(full.open(from: Self.here, at: Self.start) == .refused)
  }

  @Test func `a crowd displaces itself, and nobody who has only just come from elsewhere`() throws {
    var table = ConnectionTable(most: 100)
    let crowd = [Self.there, HostAddress("192.0.2.9")]
    for n in 0..<100 {
      let one = try admitted(&table, from: crowd[n % 2]).id
      table.asks(one)
    }
    let owner = try admitted(&table).id
    for n in 0..<1_000 {
      let (new, replaced) = try admitted(&table, from: crowd[n % 2])
      #expect(replaced != owner)
      table.asks(new)
    }
    #expect(table.standing(of: owner) == .halfOpen)
    // Of one address, too, who has just come is heard before those who wait give way.
    let neighbour = try admitted(&table, from: Self.there).id
    #expect(try admitted(&table, from: Self.there).replaced != neighbour)
    #expect(table.standing(of: neighbour) == .halfOpen)
  }

  @Test func `one address leaves half the room to the others, and itself finds room`() throws {
    var table = ConnectionTable(most: 100)
    for _ in 0..<10_000 { _ = try admitted(&table, from: Self.there) }
    #expect(table.count == 50)
    #expect(try admitted(&table).replaced == nil)
    #expect(try admitted(&table, from: Self.there).replaced != nil)
    // The addresses of one network are one.
    for host in 0..<200 {
      _ = try admitted(&table, from: HostAddress("2001:db8::\(String(host, radix: 16))"))
    }
    #expect(table.count == 100)
  }

  @Test func `whatever comes, it keeps its bounds, and who is served goes last`() throws {
    var generator = SeededGenerator(seed: 4)
    for most in [2, 3, 9, 40] {
      var table = ConnectionTable(most: most)
      var here: [ConnectionTable.ID] = []
      var addresses: [ConnectionTable.ID: Int] = [:]
      let holders = [.core, .bridge("one"), Self.account(2), Self.account(3)]
      for _ in 0..<(Soak.isOn ? 200_000 : 4_000) {
        let number = Int.random(in: 0..<5, using: &generator)
        let one = here.randomElement(using: &generator)
        switch (Int.random(in: 0..<9, using: &generator), one) {
        case (0, let one?):
          table.close(one)
          here.removeAll { $0 == one }
        case (1, let one?): table.asks(one)
        case (2, let one?): table.isAnswered(one)
        case (3, let one?): table.isWhole(one)
        case (4, let one?) where number < holders.count:
          if let victim = table.shows(one, of: holders[number]) {
            #expect(victim != one)
            here.removeAll { $0 == victim }
          }
        default:
          let standings = here.map { ($0, table.standing(of: $0)!) }
          switch table.open(from: HostAddress("10.0.0.\(number)"), at: Self.start) {
          case .refused: #expect(standings.contains { $0.1 == .bridge })
          case .admitted(let id, let replaced):
            if let replaced {
              let standing = standings.first { $0.0 == replaced }!.1
              #expect(standing < .bridge)
              let neighbours = standings.filter { addresses[$0.0] == addresses[replaced] }
              #expect(standing < .served || neighbours.allSatisfy { $0.1 >= .served })
              here.removeAll { $0 == replaced }
            }
            here.append(id)
            addresses[id] = number
          }
        }
        #expect(table.count == here.count && table.count <= most)
      }
      for one in here { table.close(one) }
      #expect(table.count == 0)
    }
  }

  @Test(arguments: [
    (1_024, 60, 708), (1_024, 1_000, 8), (256, 40, 88), (64, 30, 8), (1_048_576, 60, 4_096),
    (Int.max, 0, 4_096),
  ])
  func `connections leave descriptors to the store and the notification channels`(
    most: Int, open: Int, connections: Int
  ) {
    #expect(DescriptorBudget(most: most, open: open).connections == connections)
  }

  @Test func `an address is itself however it is written`() throws {
    #expect(HostAddress("192.0.2.1") == HostAddress("::ffff:192.0.2.1"))
    #expect(HostAddress("fe80::1%eth0") == HostAddress("FE80:0::1"))
    #expect(HostAddress("192.0.2.1")?.network != HostAddress("192.0.2.2")?.network)
    #expect(HostAddress("2001:db8::1")?.network == HostAddress("2001:db8::2")?.network)
    #expect(HostAddress("2001:db8:0:1::1")?.network != HostAddress("2001:db8::1")?.network)
    for name in ["", "localhost", "1.2.3", "192.0.2.1 ", "256.0.0.1", "[::1]"] {
      #expect(HostAddress(name) == nil, "\(name)")
    }
    for loopback in ["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"] {
      #expect(try #require(HostAddress(loopback)).isLoopback)
    }
    for other in ["128.0.0.1", "::", "::2", "0.0.0.0", "::7f00:1"] {
      #expect(try !#require(HostAddress(other)).isLoopback)
    }
  }
}
