import AlertCore
import WireProtocol

/// The erasure of an account (R86), in two parts. One transaction takes every row and field that
/// its owner entered; what SQLite keeps of them in pages, log and copies goes right after it, and
/// is owed until it has gone, whatever ends the process in between.
extension ChangeWriter {
  /// Before the other rows of the batch. Alarms stay without words and positions, their contacts by
  /// the ids alone; rows of messages that are not over are in the batch where they are erased.
  func eraseAccount() throws {
    let (first, last) = (rows.ids.lowerBound, rows.ids.upperBound)
    try oweRemoval()
    try db.writeRow("DELETE FROM companion WHERE account = ?", [account])
    try db.writeRow("DELETE FROM occurrence WHERE account = ?", [account])
    try db.writeRow(
      "DELETE FROM track WHERE id BETWEEN ? AND ?", [.integer(first), .integer(last)])
    try db.writeRow(db.dialect.eraseIncidents, [account])
    try db.writeRow(db.dialect.eraseNotifications, [account])
    try db.openingLog {
      // Servers repeat an address in what they refuse.
      try db.writeRow(
        db.dialect.eraseRefusals,
        [.integer(first), .integer(last), .string(AuditEvent.erasedRefusal)])
      try db.writeRow(
        """
        UPDATE log SET detail = NULL
        WHERE id BETWEEN ? AND ? AND facts IS NULL AND name = 'deliveryFailed'
        """, [.integer(first), .integer(last)])
    }
    try erasePositions()
  }

  /// Deletes every row that is the account's, and leaves its number alone.
  func deleteAccount() throws {
    try oweRemoval()
    try db.openingLog {
      for table in StateTable.all where table.name != "account" {
        guard let rows = table.rows(of: rows.account) else { continue }
        try db.writeRow("DELETE FROM \(table.name) WHERE \(rows)", [])
      }
    }
    try write(Account.none)
    try db.writeRow(
      "UPDATE account SET standing = ? WHERE id = ?",
      [.string(AccountStanding.deleted.rawValue), account])
  }

  /// What was removed is still in pages, log or copies: `AlertStore.removeErased` takes it away.
  private func oweRemoval() throws {
    try db.writeRow(
      """
      INSERT INTO setting (name, value) VALUES ('erasing', ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, [.bytes([])])
  }

  private func erasePositions() throws {
    var unlocated: [(id: Int64, payload: [UInt8])] = []
    try db.each(
      "SELECT id, payload FROM event WHERE id BETWEEN ? AND ?",
      [.integer(rows.ids.lowerBound), .integer(rows.ids.upperBound)]
    ) { row in
      guard let record = try row.bytes(1).withUnsafeBytes({ EventRecord($0) }),
        record.position.isKnown
      else { return }
      unlocated.append((try row.number(0), record.unlocated.payload))
    }
    for (id, payload) in unlocated {
      try db.writeRow(
        "UPDATE event SET payload = ? WHERE id = ?", [.bytes(payload), .integer(id)])
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
