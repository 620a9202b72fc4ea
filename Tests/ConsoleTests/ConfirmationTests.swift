import Bridge
import Synchronization
import Testing

@testable import AlertCore
@testable import Console

/// The link by which a mail address is confirmed (R12).
struct ConfirmationTests {
  @Test func `to open the link changes nothing; its button confirms`() async throws {
    try await Rig.run { rig in
      let path = "/v1/account/confirm?token=" + rig.links.confirmation(of: BenchCore.owner.email)
      let page = try await rig.send("GET", path)
      #expect(page.status == 200 && page.text.contains("<form method=\"post\">"))
      #expect(rig.core.asked.isEmpty)
      let done = try await rig.send("POST", path, headers: ["Content-Length": "0"])
      #expect(done.status == 200 && done.text.contains("The mail address is confirmed"))
      #expect(
        rig.core.asked == [
          BenchCore.Asked(userCommand: .change(.confirmEmail, isProven: false), who: "")
        ])
      rig.core.set { $0.account.isEmailConfirmed = true }
      #expect(try await rig.send("GET", path).text.contains("The mail address is confirmed"))
      for method in ["GET", "POST"] {
        let other = try await rig.send(method, path + "x", headers: ["Content-Length": "0"])
        #expect(other.status == 404)
      }
    }
  }

  private struct Account: Decodable { let confirmation: String }

  private func confirmation(_ rig: Rig) async throws -> String {
    try await rig.ask("GET", "/v1/account", as: .observe).json(Account.self).confirmation
  }

  @Test func `nothing says that a link was mailed before one was`() async throws {
    let mailed = Mutex<[String]>([])
    let rig = try await Rig { configuration in
      configuration.publicURL = "https://alarm.example.org"
      configuration.mail = { to, _, text, _ in mailed.withLock { $0.append("\(to): \(text)") } }
    }
    #expect(try await confirmation(rig) == "possible")
    #expect(try await rig.ask("POST", "/v1/account/confirmation").status == 204)
    #expect(mailed.withLock { $0 }.count == 1)
    #expect(try await confirmation(rig) == "mailed")
    rig.core.set { $0.account.email = "new@example.org" }
    #expect(try await confirmation(rig) == "possible", "to the new address none was")
    rig.core.set { $0.account.email = "" }
    #expect(try await confirmation(rig) == "noAddress")
    let answer = try await rig.ask("POST", "/v1/account/confirmation")
    #expect(try answer.json(ProblemBody.self).code == "noAddress")
    #expect(mailed.withLock { $0 }.count == 1)
    rig.core.set { $0.account.isEmailConfirmed = true }
    #expect(try await confirmation(rig) == "confirmed")
    await rig.server.stop()
  }

  @Test func `without a channel for mail, or an address that leads back, it says so`() async throws
  {
    for mail: AlertBridge.Mail? in [nil, { _, _, _, _ in }] {
      let rig = try await Rig { $0.mail = mail }
      #expect(try await confirmation(rig) == "noMail")
      await rig.server.stop()
    }
  }

  /// What `PUT /v1/notifications` warns of.
  private func warning(_ rig: Rig, mails: Bool = true) async throws -> String? {
    let settings =
      #"{"affirmations":true,"checkIns":true,"mails":\#(mails),"quotes":false,"review":true,"#
      + #""time":"09:00","tips":false}"#
    let answer = try await rig.ask("PUT", "/v1/notifications", json: settings)
    #expect(answer.status == 200)
    let done: JSONValue = try answer.json()
    return done["warning"]?.text
  }

  @Test func `who switches mails on is told why none can be sent`() async throws {
    let rig = try await Rig {
      $0.publicURL = "https://alarm.example.org"
      $0.mail = { _, _, _, _ in }
    }
    #expect(try await warning(rig)?.contains("until the account's address is confirmed") == true)
    #expect(try await warning(rig, mails: false) == nil)
    rig.core.set { $0.account.isEmailConfirmed = true }
    #expect(try await warning(rig) == nil)
    rig.core.set { ($0.account.isEmailConfirmed, $0.account.email) = (false, "") }
    #expect(try await warning(rig)?.contains("has no mail address") == true)
    await rig.server.stop()
    let mute = try await Rig { $0.mail = nil }
    #expect(try await warning(mute)?.contains("needs a channel for mail") == true)
    mute.core.set { $0.account.isEmailConfirmed = true }
    #expect(try await warning(mute)?.contains("no channel for mail is configured") == true)
    await mute.server.stop()
  }
}
