import FobBase
import Foundation
import GRDB
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

@Suite struct ReviewRowTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  private static func review(_ id: Int, of incident: IncidentID? = nil) -> Review {
    var review = Review(id, of: incident, ReviewStep.standard, at: Timestamp.second(10).wall)
    for step in 1...4 {
      review.save("Line \(id)\n“Step” \(step): ж\u{1F9ED}", of: step, at: Timestamp.second(11).wall)
    }
    return review
  }

  private static let incident = IncidentID(EventRecord.press(1).identity)

  private static func changes(_ rows: [ReviewChange]) -> Changes {
    var changes = Changes()
    changes.reviews = rows
    return changes
  }

  private static let rows: [ReviewChange] = [
    .review(review(1, of: incident)), .review(review(2)),
    .template(ReviewStep.standard.reversed()),
    .offer(ReviewOffer(incident: incident, openedAt: 1, offeredAt: 2)),
  ]

  private static func sorted(_ stored: StoredReviews) -> StoredReviews {
    var sorted = stored
    sorted.reviews.sort { $0.id < $1.id }
    return sorted
  }

  @Test func `R82: reviews, steps and the offer come back in every field, as they were last`()
    throws
  {
    let store = try folder.store()
    try store.commit(Self.changes(Self.rows))
    var expected = StoredReviews()
    for row in Self.rows { expected.apply(row) }
    #expect(Self.sorted(try store.load().reviews) == expected)
    let later: [ReviewChange] = [.reviewRemoved(2), .offerRemoved]
    try store.commit(Self.changes(later))
    for row in later { expected.apply(row) }
    #expect(try store.load().reviews == expected)
  }

  @Test func `R82: an exported state has the reviews, text by text, and opens with them`() throws {
    try folder.store().commit(Self.changes(Self.rows))
    var document = ""
    try StateExport.write(directory: folder.path) { document += $0 }
    let target = try StateFolder()
    try StateImport.read(Data(document.utf8), named: "state.json", into: target.path)
    #expect(
      Self.sorted(try target.store().load().reviews)
        == Self.sorted(try folder.store().load().reviews))
  }

  @Test func `a review of another's row is refused, and so is one with an answer too long`() throws
  {
    let encoded = try JSON.encode(Self.review(1))
    #expect(throws: CheckInRow.Mismatch.self) {
      try CheckInRow(kind: "review", id: "3", body: encoded)
    }
    var long = Self.review(1)
    long.answers[0].text = String(repeating: "a", count: 4_001)
    #expect(throws: CheckInRow.Mismatch.self) {
      try CheckInRow(kind: "review", id: "1", body: try JSON.encode(long))
    }
  }

  @Test func `a damaged review takes no other along`() throws {
    try folder.store().commit(Self.changes(Self.rows))
    try folder.outside().write { db in
      try db.execute(sql: "UPDATE companion SET body = 'x' WHERE kind = 'review' AND id = '1'")
    }
    #expect(try folder.store().load().reviews.reviews == [Self.review(2)])
  }
}
