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
}
