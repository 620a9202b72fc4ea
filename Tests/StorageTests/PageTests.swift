import AlertCore
import FobBase
import Storage
import Testing

/// Long lists in parts.
@Suite struct PageTests {
  private let folder: StateFolder
  private let store: AlertStore

  init() throws {
    folder = try StateFolder()
    store = try folder.store()
  }

  @Test(arguments: [1, 7, 36, 37, 38, 1_000])
  func `presses come by pages, oldest first, none twice and none left out`(_ limit: Int) throws {
    try store.commit(.of((1...37).map { .press($0) }))
    let all = try store.presses()
    #expect(all.count == 37)
    let (rows, pages) = try walk { try store.presses(after: $0, limit: limit) }
    #expect(rows == all && pages == (37 + limit - 1) / limit)
  }

  @Test(arguments: [1, 5, 23, 24])
  func `incidents come by pages, oldest first, none twice and none left out`(_ limit: Int) throws {
    let incidents = (1...23 as ClosedRange<UInt32>).map {
      Incident.sample($0, .emergencyEnded, openedAt: Int64($0 / 3))
    }
    try store.commit(.of(incidents: incidents))
    let (rows, pages) = try walk { try store.incidents(after: $0, limit: limit) }
    #expect(try rows == store.incidents() && pages == (23 + limit - 1) / limit)
  }

  private func walk<Row: Sendable>(
    _ page: (Int64) throws -> StoredPage<Row>
  ) throws -> (rows: [Row], pages: Int) {
    var rows: [Row] = []
    var pages = 0
    var next: Int64? = 0
    while let after = next {
      let page = try page(after)
      rows += page.rows
      next = page.next
      pages += 1
    }
    return (rows, pages)
  }
}
