import AlertCore
import ArgumentParser
import Foundation
import Glibc
import Storage

/// `fob state`: all that a state folder holds, as one document.
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Export a state as one JSON document, import one, or check a folder for damage.",
    discussion: """
      A document moves a state between folders, and between SQLite and PostgreSQL, both ways.

      The document has the account with the hash of its PIN, contacts, incidents, events and the \
      log: keep it as you keep the folder. It lacks tokens.json, ack-key and keys, and says so.
      """,
    subcommands: [Export.self, Import.self, StateCheckCommand.self])

  /// Those that are there and stay behind.
  private static func tellLacks(of folder: String) {
    for lack in StateExport.lacks
    where FileManager.default.fileExists(atPath: "\(folder)/\(lack.file)") {
      Terminal.error("fob: not exported: \(lack.file), \(lack.words)")
    }
  }

  private static func tellLacks(notIn folder: String) {
    for lack in StateExport.lacks
    where !FileManager.default.fileExists(atPath: "\(folder)/\(lack.file)") {
      Terminal.error("fob: not imported: \(lack.file), \(lack.words)")
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Export the state as one JSON document.",
      discussion: """
        It is what was committed at one moment; a fob that runs on the folder goes on meanwhile.
        """)

    @Option(help: "State folder. (default: $XDG_STATE_HOME/fob/bridge)", completion: .directory)
    var state: String?

    @Option(help: "PostgreSQL database to export instead, as of fob core.")
    var store: String?

    @Option(help: "Number of the account to export, as the only one. (default: all accounts)")
    var account: AccountNumber?

    @Argument(help: "File to write, with mode 0600, or - for standard output.", completion: .file())
    var file = "-"

    func validate() throws {
      guard state == nil || store == nil else {
        throw ValidationError("--state and --store name two places")
      }
    }

    func run() throws {
      if let store {
        return try Failure.mapped {
          let server = try PostgresServer(store)
          try OutputFile(file, mode: 0o600).write { put in
            try StateExport.write(server: server, account: account) { try put(Array($0.utf8)) }
          }
        }
      }
      let directory = try state ?? StateFolder.standard("bridge")
      try Failure.mapped {
        defer { StateCommand.tellLacks(of: directory) }
        try OutputFile(file, mode: 0o600).write { put in
          try StateExport.write(directory: directory, account: account) { try put(Array($0.utf8)) }
        }
      }
    }
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Import an exported document where there is no state yet.",
      discussion: "All of it is imported or nothing. No fob may run there meanwhile.")

    @Option(help: "State folder, which must have no state yet.")
    var state: String?

    @Option(help: "PostgreSQL database instead, as of fob core, which must have no state yet.")
    var store: String?

    @Argument(help: "File that fob state export has written.", completion: .file())
    var file: String

    func validate() throws {
      guard (state == nil) != (store == nil) else {
        throw ValidationError("name one place, by --state or --store")
      }
    }

    func run() throws {
      let document = try Self.read(file)
      do {
        if let store {
          let server = try PostgresServer(store)
          let rows = try StateImport.read(document, named: file, into: server)
          Terminal.line("imported \(rows) rows into \(server.url)")
        } else if let state {
          let rows = try StateImport.read(document, named: file, into: state)
          Terminal.line("imported \(rows) rows into \(state)")
          StateCommand.tellLacks(notIn: state)
        }
      } catch let failure as StorageFailure where failure.path == file {
        throw Failure(.usage, "\(failure)")
      } catch let failure as StorageFailure {
        throw Failure(failure.isOfServer ? .unreachable : .cannotOpen, "\(failure)")
      } catch {
        try Failure.mapped { throw error }
      }
    }

    private static func read(_ path: String) throws(Failure) -> Data {
      guard let file = FileHandle(forReadingAtPath: path) else {
        throw Failure(.cannotOpen, "cannot open \(path): \(String(cString: strerror(errno)))")
      }
      guard let data = try? file.read(upToCount: StateImport.longest + 1) ?? Data() else {
        throw Failure(.cannotOpen, "cannot read \(path): is it a file?")
      }
      return data
    }
  }
}
