import Testing

@testable import AlertCore
@testable import Console

/// The one-tap link of a contact.
struct AcknowledgeTests {
  private func link(_ rig: Rig, _ state: EmergencyState) -> String {
    let incident = BenchCore.incident(state)
    rig.core.set { $0.incident = BenchCore.incident(state) }
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
      let path = link(rig, .emergencyEnded)
      for method in ["GET", "POST"] {
        let answer = try await rig.send(method, path, headers: ["Content-Length": "0"])
        #expect(answer.status == 200 && answer.text.contains("is over"))
      }
      #expect(rig.core.asked.isEmpty)
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
