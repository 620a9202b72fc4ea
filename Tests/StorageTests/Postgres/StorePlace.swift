import AlertCore
import Foundation
import TestSupport
import Testing

@testable import Storage

/// What a store can be kept by.
enum EngineKind: CaseIterable { case sqlite, postgres }

/// A place for one store, of either kind, removed with all that is in it.
final class StorePlace {
  let folder: StateFolder
  /// Nil: SQLite's.
  let server: PostgresServer?
  private let cluster: PostgresCluster?

  /// - Parameter cluster: nil: that of all tests.
  init(_ kind: EngineKind, on cluster: PostgresCluster? = nil) throws {
    folder = try StateFolder()
    self.cluster = kind == .postgres ? try cluster ?? .common() : nil
    server = try self.cluster.map { try PostgresServer($0.database()) }
  }

  /// The store, opened; an earlier one must have been let go of.
  func store() throws -> AlertStore {
    try server.map { try AlertStore(on: $0, directory: folder.path) } ?? folder.store()
  }

  func exported(_ account: AccountNumber? = nil) throws -> String {
    var text = ""
    if let server {
      try StateExport.write(server: server, account: account) { text += $0 }
    } else {
      try StateExport.write(directory: folder.path, account: account) { text += $0 }
    }
    return text
  }

  @discardableResult
  func `import`(_ document: String) throws -> Int {
    let data = Data(document.utf8)
    return try server.map { try StateImport.read(data, named: "state.json", into: $0) }
      ?? StateImport.read(data, named: "state.json", into: folder.path)
  }

  /// A connection of somebody else to the same database.
  func outside() throws -> PostgresConnection { try #require(server).connect() }
}

extension PostgresConnection {
  /// Nobody may use it meanwhile.
  func run(_ sql: String) throws { try exchange([PostgresCommand(sql: sql)]) }

  func texts(_ sql: String) throws -> [String] {
    try PostgresSnapshot(connection: self).texts(sql, [])
  }

  /// Has commits wait for these standby servers from now on. The server's checkpointer tells the
  /// others that there are some, and does so before a checkpoint.
  func waitForStandbys(_ names: String) throws {
    try run("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
    try run("SELECT pg_reload_conf()")
    _ = try self.await("SELECT 'x' WHERE current_setting('synchronous_standby_names') = '\(names)'")
    try run("CHECKPOINT")
  }

  /// Waits until a query gives a text; fails after ten seconds.
  func await(_ sql: String) throws -> String {
    for _ in 0..<1_000 {
      if let text = try texts(sql).first { return text }
      try run("SELECT pg_sleep(0.01)")
    }
    return try #require(nil, "nothing comes of \(sql)")
  }
}
