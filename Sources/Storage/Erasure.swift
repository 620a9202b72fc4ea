import AlertCore
import Foundation
import GRDB
import Glibc
import Synchronization
import WireProtocol

/// The erasure of an account (R86), in two parts. One transaction takes every row and field that
/// its owner entered; what SQLite keeps of them in pages, log and copies goes right after it, and
/// is owed until it has gone, whatever ends the process in between.
extension ChangeWriter {
  /// Before the other rows of the batch. Alarms stay without words and positions, their contacts by
  /// the ids alone; rows of messages that are not over are in the batch where they are erased.
  func eraseAccount() throws {
    try db.execute(
      sql: """
        \(Schema.owesRemoval)
        DELETE FROM companion WHERE account = :account;
        DELETE FROM occurrence WHERE account = :account;
        DELETE FROM track WHERE id BETWEEN :first AND :last;
        UPDATE incident SET body = json_remove(body, '$.question', '$.lastPosition')
        WHERE account = :account AND json_valid(body);
        UPDATE notification SET body = json_remove(
          json_set(body, '$.contact', json_object(
            'id', body ->> '$.contact.id', 'name', body ->> '$.contact.id', 'address', '')),
          '$.position', '$.question', '$.lastError')
        WHERE account = :account AND json_valid(body)
          AND delivery IN ('delivered', 'withdrawn');
        """, arguments: whose)
    try eraseRefusals()
    try erasePositions()
  }

  private var whose: StatementArguments {
    [
      "account": rows.account.rawValue, "first": rows.ids.lowerBound, "last": rows.ids.upperBound,
    ]
  }

  /// Servers repeat an address in what they refuse.
  private func eraseRefusals() throws {
    try db.execute(sql: "DROP TRIGGER log_stays")
    try db.execute(
      sql: """
        UPDATE log SET
          detail = replace(detail, facts ->> '$.reason', :erased),
          facts = json_set(facts, '$.reason', :erased)
        WHERE id BETWEEN :first AND :last AND json_valid(facts)
          AND facts ->> '$.type' IN ('message', 'slot') AND facts ->> '$.reason' <> '';
        UPDATE log SET detail = NULL
        WHERE id BETWEEN :first AND :last AND facts IS NULL AND name = 'deliveryFailed';
        """, arguments: whose + ["erased": AuditEvent.erasedRefusal])
    try db.execute(sql: Schema.logStays)
  }

  private func erasePositions() throws {
    let ids = try Int64.fetchAll(
      db, sql: "SELECT id FROM event WHERE id BETWEEN ? AND ?",
      arguments: [rows.ids.lowerBound, rows.ids.upperBound])
    for id in ids {
      let payload = try Data.fetchOne(
        db, sql: "SELECT payload FROM event WHERE id = ?", arguments: [id])
      guard let record = payload?.withUnsafeBytes({ EventRecord($0) }), record.position.isKnown
      else { continue }
      try db.writeRow(
        "UPDATE event SET payload = ? WHERE id = ?",
        [.bytes(record.unlocated.payload), .integer(id)])
    }
  }
}

extension EventRecord {
  /// As the store has it.
  var payload: [UInt8] {
    var body = FrameBody(raw: UnsafeRawBufferPointer(start: nil, count: 0))
    write(to: &body)
    return body.withBytes { [UInt8]($0) }
  }
}

extension AlertStore {
  /// Takes what is left of an erased account out of unused pages, SQLite's log, the backup and the
  /// files that were set aside as damaged. Blocks; without an erasure it reads one row.
  /// - Returns: why something is left, to be tried again at the next backup or opening; nil:
  ///   nothing is.
  @discardableResult
  func removeErased() -> String? {
    opened.erasures.withLock { count in
      do {
        let isOwed = try database.read { db in
          try Bool.fetchOne(db, sql: "SELECT 1 FROM setting WHERE name = 'erasing'") ?? false
        }
        guard isOwed else { return nil }
        // A backup that was begun before does not get its name.
        count += 1
        for path in files.copies { files.remove(path) }
        truncate(files.mails, 0)
        try checkpointer.pausing {
          try database.writeWithoutTransaction { db in
            // A press waits behind this, so another program's reading is not waited for.
            try db.execute(sql: "PRAGMA busy_timeout = 100")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = 0") }
            try db.execute(sql: "VACUUM")
            try db.checkpoint(.truncate)
            try db.execute(sql: "DELETE FROM setting WHERE name = 'erasing'")
          }
        }
        LogSpace.reserve(beside: path)
        return nil
      } catch {
        return "\(StorageFailure("remove what was erased from", path: path, error))"
      }
    }
  }
}
