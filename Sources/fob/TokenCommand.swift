import AlertCore
import ArgumentParser
import Console
import Foundation
import Storage

/// `fob token`: who may use the HTTP API of a state folder. Works beside a running core, which
/// reads the file again, and without one.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Create, list and revoke tokens for the HTTP API.",
    discussion: """
      Scopes, each with those before it: observe reads; operate answers emergencies; administer \
      changes the account, contacts and keychains. feed is for bridges on other hosts: it brings \
      in what their keychains say, and nothing else. A token is shown once, when it is made.
      """,
    subcommands: [Create.self, List.self, Revoke.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Create a token and print it.")

    @Option(
      help: "Scope, what the token allows: observe, operate, administer, or feed for a bridge.")
    var scope: ScopeOption

    @Option(help: "Name of its user, for the log: a program or a role, not a person.")
    var name: String = "token"

    @Option(help: "Number of the account that it is for. (default: the whole core)")
    var account: AccountNumber?

    @OptionGroup var folder: CoreFolder

    func run() throws {
      try TokenCommand.mapped {
        if let account, account != .first,
          try StateExport.has(account, in: folder.path()) == false
        {
          throw Failure(
            .refused, "there is no account \(account); GET /v1/accounts lists those that are there")
        }
        let (_, text) = try TokenCommand.book(in: folder).create(
          name: name, scope: scope.scope, account: account)
        Terminal.line(text)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List tokens: id, scope, when it was created, name, account.")

    @OptionGroup var folder: CoreFolder

    func run() throws {
      try TokenCommand.mapped {
        for token in try TokenCommand.book(in: folder).tokens() {
          let made = Date(timeIntervalSince1970: Double(token.createdWall) / 1_000_000)
            .formatted(.iso8601)
          let account = token.account.map { "  account \($0)" } ?? ""
          Terminal.line("\(token.id)  \(token.scope.rawValue)  \(made)  \(token.name)\(account)")
        }
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Revoke a token at once.")

    @Argument(help: "Id of the token, as fob token list prints it.")
    var id: String

    @OptionGroup var folder: CoreFolder

    func run() throws {
      try TokenCommand.mapped { try TokenCommand.book(in: folder).revoke(id: id) }
    }
  }

  private static func book(in folder: CoreFolder) throws(Failure) -> TokenBook {
    let path = try folder.path()
    try StateFolder.make(path)
    return TokenBook(folder: path)
  }

  private static func mapped(_ body: () throws -> Void) throws(Failure) {
    try Failure.mapped {
      do {
        try body()
      } catch let refusal as TokenBook.Refusal {
        throw Failure(.refused, refusal.description)
      }
    }
  }
}

/// As the command line has it.
enum ScopeOption: String, ExpressibleByArgument, CaseIterable {
  case observe, operate, administer, feed

  var scope: Scope { Scope(rawValue: rawValue)! }
}
