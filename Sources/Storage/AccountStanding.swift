public import AlertCore
import FobBase

/// How an account stands with who runs the core. Its owner does not change it.
public enum AccountStanding: String, Codable, CaseIterable, Sendable {
  case active
  /// Its alarm goes on; nothing else is done for its owner.
  case suspended
  /// Nothing of it is left but its number, which no other account gets.
  case deleted
}

/// The accounts of one state folder.
extension AlertStore {
  /// The accounts that are here, in order: those that owners have made and nobody has deleted.
  public func accounts() throws -> [AccountNumber] {
    try reading("read the accounts from") { db in
      try db.rows(
        "SELECT id FROM account WHERE standing <> ? ORDER BY id",
        [.string(AccountStanding.deleted.rawValue)]
      ).compactMap { AccountNumber(Int(try $0.number(0))) }
    }
  }

  /// The number of the next account; nil: the last one is given.
  public func nextAccount() throws -> AccountNumber? {
    try reading("read the accounts from") { db in
      AccountNumber(Int(try db.number("SELECT MAX(id) FROM account") ?? 1) + 1)
    }
  }

  /// How the account stands; nil: there never was one of this number. Throws `StorageFailure`.
  public func standing() throws -> AccountStanding? {
    try reading("read the account from") { db in try StateReader(db, number).standing() }
  }

  /// Writes the account's state as `StateExport` does, as the first and only account of its
  /// document.
  /// - Throws: `StorageFailure`; whatever `write` throws.
  public func export(to write: (String) throws -> Void) throws {
    try reading("export the account from") { db in
      try StateExport.export(number, db, to: write)
    }
  }

  /// Suspends the account, or lets it go on. Durable when it returns; throws `StorageFailure`.
  public func suspend(_ isSuspended: Bool) throws {
    try writing("change the account in") { db in
      try db.writeRow(
        "UPDATE account SET standing = ? WHERE id = ? AND standing <> ?",
        [
          .string((isSuspended ? AccountStanding.suspended : .active).rawValue), whose,
          .string(AccountStanding.deleted.rawValue),
        ])
    }
  }

  /// Deletes the account with every row that is its, the log's as well, for which this is the only
  /// way. What SQLite keeps of them in pages, log and copies goes right after, or is owed until it
  /// has gone, as after an erasure (R86). Blocks.
  /// - Throws: `StorageFailure`: then nothing is deleted.
  public func delete() throws {
    precondition(number != .first, "the first account is the core's own")
    try writing("delete the account from") { db in try delete(by: db) }
    removeErased()
  }

  private func delete(by db: some RowTarget) throws { try ChangeWriter(db, number).deleteAccount() }
}
