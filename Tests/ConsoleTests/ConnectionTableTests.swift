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

  @Test func `who shows a token goes last, and who is being served never`() throws {
    var table = ConnectionTable(most: 4)
    let served = try admitted(&table).id
    table.asks(served)
    table.shows(served)
    let known = try admitted(&table).id
    table.asks(known)
    table.shows(known)
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
    let only = try admitted(&full).id
    full.asks(only)
    full.shows(only)
    #expect(full.open(from: Self.here, at: Self.start) == .refused)
    #expect(try admitted(&full, from: Self.there).replaced == nil)
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

  @Test func `whatever comes, it keeps its bounds and lets nobody go who is served`() throws {
    var generator = SeededGenerator(seed: 4)
    for most in [2, 3, 9, 40] {
      var table = ConnectionTable(most: most)
      var here: [ConnectionTable.ID] = []
      for _ in 0..<(Soak.isOn ? 200_000 : 4_000) {
        let number = Int.random(in: 0..<5, using: &generator)
        let one = here.randomElement(using: &generator)
        switch (Int.random(in: 0..<8, using: &generator), one) {
        case (0, let one?):
          table.close(one)
          here.removeAll { $0 == one }
        case (1, let one?): table.asks(one)
        case (2, let one?): table.isAnswered(one)
        case (3, let one?) where number == 0: table.shows(one)
        default:
          let standings = here.map { ($0, table.standing(of: $0)!) }
          switch table.open(from: HostAddress("10.0.0.\(number)"), at: Self.start) {
          case .refused: #expect(standings.contains { $0.1 == .served })
          case .admitted(let id, let replaced):
            if let replaced {
              #expect(standings.first { $0.0 == replaced }!.1 < .served)
              here.removeAll { $0 == replaced }
            }
            here.append(id)
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
