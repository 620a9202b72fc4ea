import Testing

@testable import Storage

/// Several new rows in one statement.
struct RowInsertsTests {
  @Test func `rows of a table go by one statement, whose parameters are numbered on`() throws {
    let one = "INSERT INTO track (id, wall)\nVALUES (?, ?)\nON CONFLICT (id) DO NOTHING"
    let two = try #require(RowInserts.statement(one, columns: 2, rows: 2))
    #expect(
      PostgresConnection.numbered(two)
        == "INSERT INTO track (id, wall)\nVALUES ($1, $2), ($3, $4)\nON CONFLICT (id) DO NOTHING")
    #expect(RowInserts.statement(one, columns: 2, rows: RowInserts.most) != nil)
    #expect(RowInserts.statement(one, columns: 2, rows: RowInserts.most + 1) == nil)
  }

  @Test func `what changes rows that are there goes row by row`() {
    for sql in [
      "INSERT INTO incident (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET id = excluded.id",
      "UPDATE event SET meaning = ?", "DELETE FROM companion WHERE id = ?",
    ] {
      #expect(RowInserts.statement(sql, columns: 1, rows: 2) == nil)
    }
  }
}
