import AlertCore
import Foundation
import Storage
import TestSupport
import Testing

/// `fob token`, as it is typed.
struct TokenCommandTests {
  private func fob(_ arguments: String...) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: RunningFob.binary)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test func `a token is shown once, listed without its text, and revoked by its id`() throws {
    let folder = try ScratchDirectory()
    let made = try fob(
      "token", "create", "--scope", "operate", "--name", "phone", "--state", folder.path)
    #expect(made.status == 0 && made.output.hasPrefix("fob_") && made.output.count == 48)
    let list = try fob("token", "list", "--state", folder.path)
    #expect(list.output.hasSuffix("phone\n") && list.output.contains("  operate  "))
    #expect(!list.output.contains(made.output.dropLast()))
    let id = String(list.output.prefix { $0 != " " })
    #expect(try fob("token", "revoke", id, "--state", folder.path).status == 0)
    #expect(try fob("token", "list", "--state", folder.path).output == "")
    let again = try fob("token", "revoke", id, "--state", folder.path)
    #expect(again.status == 77 && again.output.contains("fob token list"))
    #expect(try fob("token", "create", "--scope", "all", "--state", folder.path).status == 64)
  }

  @Test func `no token is made for an account that is not there`() throws {
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path)
    try store.store(of: AccountNumber(2)!).setAccount(Account(name: "Owner 2", contacts: []))
    withExtendedLifetime(store) {}
    func made(for account: String) throws -> (status: Int32, output: String) {
      try fob(
        "token", "create", "--scope", "observe", "--account", account, "--state", folder.path)
    }
    for account in ["1", "2"] { #expect(try made(for: account).status == 0) }
    let refused = try made(for: "3")
    #expect(refused.status == 77 && refused.output.contains("there is no account 3"))
    let list = try fob("token", "list", "--state", folder.path).output
    #expect(list.contains("  account 2\n") && !list.contains("account 3"))
  }

  @Test func `a bridge's token is made by its scope`() throws {
    let folder = try ScratchDirectory()
    let made = try fob("token", "create", "--scope", "feed", "--state", folder.path)
    #expect(made.status == 0 && made.output.hasPrefix("fob_"))
    #expect(try fob("token", "list", "--state", folder.path).output.contains("  feed  "))
  }
}
