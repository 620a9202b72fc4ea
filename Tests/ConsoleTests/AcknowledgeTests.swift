import FobBase
import Testing

@testable import AlertCore
@testable import Console

/// The one-tap link of a contact.
struct AcknowledgeTests {
  private func link(
    _ rig: Rig, _ state: EmergencyState,
    _ edit: @escaping @Sendable (inout Incident) -> Void = { _ in }
  ) -> String {
    let incident = BenchCore.incident(state)
    rig.core.set {
      var incident = BenchCore.incident(state)
      edit(&incident)
      $0.incident = incident
    }
    return "/ack/" + rig.links.acknowledgement(of: incident.id, by: "contact-2", in: .first)
  }

  @Test func `to open it changes nothing; the button acknowledges, durably`() async throws {
    try await Rig.run { rig in
      let path = link(rig, .emergencySent)
      let page = try await rig.send("GET", path)
      #expect(page.status == 200 && page.text.contains("<form method=\"post\">"))
      #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
      #expect(!page.text.contains("<script"))
      #expect(rig.core.asked.isEmpty)
      let form = ["Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0"]
      let done = try await rig.send("POST", path, headers: form)
      #expect(done.status == 200 && done.text.contains("Thank you"))
      #expect(
        rig.core.asked == [
          BenchCore.Asked(userCommand: .acknowledge("contact-2"), who: "contact-2")
        ])
    }
  }

  @Test func `what is not durable is not thanked for`() async throws {
    try await Rig.run { rig in
      let path = link(rig, .emergencySent)
      rig.core.set { $0.isDurable = false }
      let answer = try await rig.send("POST", path, headers: ["Content-Length": "0"])
      #expect(answer.status == 503 && !answer.text.contains("Thank you"))
    }
  }

  @Test func `an emergency that is over says so`() async throws {
    try await Rig.run { rig in
      let path = link(rig, .emergencySent) { _ = $0.end(.disarmed, at: BenchCore.now) }
      for method in ["GET", "POST"] {
        let answer = try await rig.send(method, path, headers: ["Content-Length": "0"])
        #expect(answer.status == 200 && answer.text.contains("is over"))
      }
      #expect(rig.core.asked.isEmpty)
    }
  }

  @Test func `an emergency that has moved is not told as over`() async throws {
    try await Rig.run { rig in
      let path = link(rig, .emergencySent) { _ = $0.end(.moved, at: BenchCore.now) }
      for method in ["GET", "POST"] {
        let answer = try await rig.send(method, path, headers: ["Content-Length": "0"])
        #expect(answer.status == 200 && answer.text.contains("handed over to another account"))
        #expect(answer.text.contains("Whether it has ended since is not known here."))
        #expect(!answer.text.contains("is over") && !answer.text.contains("need not do"))
      }
      #expect(rig.core.asked.isEmpty)
    }
  }

  /// Nobody has said that all is well, or only of a part of it.
  @Test(arguments: [EndReason.trackingOver, .gaveWay, .disarmed])
  func `what nobody has switched off asks to be looked after`(_ reason: EndReason) async throws {
    try await Rig.run { rig in
      let path = link(rig, .emergencySent) {
        _ = $0.end(reason, at: BenchCore.now)
        if reason == .disarmed { $0.handovers = 1 }
      }
      let answer = try await rig.send("GET", path)
      #expect(answer.status == 200 && !answer.text.contains("need not do"))
      #expect(!answer.text.contains("<form"))
    }
  }

  @Test func `a link by an earlier name of the emergency leads to it`() async throws {
    try await Rig.run { rig in
      let name = try #require(IncidentID("572d7ee300000002-00000001-8000000000000b0b"))
      _ = link(rig, .emergencySent) { $0.aliases = [name] }
      let path = "/ack/" + rig.links.acknowledgement(of: name, by: "contact-2", in: .first)
      #expect(try await rig.send("GET", path).text.contains("<form method=\"post\">"))
    }
  }

  @Test func `of an emergency that is not known nothing is said`() async throws {
    try await Rig.run { rig in
      let name = try #require(IncidentID("572d7ee300000002-00000001-8000000000000b0b"))
      let path = "/ack/" + rig.links.acknowledgement(of: name, by: "contact-2", in: .first)
      let answer = try await rig.send("GET", path)
      #expect(answer.status == 200 && answer.text.contains("It is not known here"))
      #expect(!answer.text.contains("is over"))
    }
  }

  @Test func `a link that is not signed by this core leads nowhere`() async throws {
    try await Rig.run { rig in
      let path = link(rig, .emergencySent)
      for method in ["GET", "POST"] {
        for wrong in [path + "A", String(path.dropLast()), "/ack/abc", "/ack/a.b"] {
          let answer = try await rig.send(method, wrong, headers: ["Content-Length": "0"])
          #expect(answer.status == 404, "\(wrong)")
        }
      }
      #expect(rig.core.asked.isEmpty)
    }
  }
}
