import AlertCore
import Bridge
import FobBase
import Sinks
import Storage
import TestSupport
import Testing

@testable import Console

/// An incident as an alert of CAP 1.2, by the API on a real bridge and a real store.
@Suite struct LiveAlertTests {
  private struct TakingSink: Sink {
    let name = "taking"
    let isTest = true
    func deliver(_ message: OutgoingMessage) {}
  }

  @Test func `an incident is an alert at each of its states, and refers to its messages`()
    async throws
  {
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path("state"))
    var (account, policy) = (BenchCore.owner, Policy())
    account.pinHash = nil
    policy.triggerCountdown = .zero
    let bridge = try AlertBridge(
      account: account, policy: policy, store: store, sinks: [TakingSink()]
    ) { _ in }
    try bridge.start([])
    defer { bridge.stop() }
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store))
    do { try await look(rig) } catch {
      await rig.server.stop()
      throw error
    }
    await rig.server.stop()
  }

  private func look(_ rig: Rig) async throws {
    #expect(try await rig.ask("PUT", "/v1/protection", json: "{}").status == 200)
    let trigger = #"{"source":"fall","device":"\#(BenchCore.device.text)","key":"1"}"#
    #expect(try await rig.ask("POST", "/v1/triggers", json: trigger).status == 202)
    let list: JSONValue = try await rig.ask("GET", "/v1/incidents").json()
    let id = try #require(list["incidents"]?.elements.first?["id"]?.text)
    let path = "/v1/incidents/\(id)/alert.xml"
    #expect(try await rig.ask("GET", path, as: nil).status == 401)
    var alerts: [String] = []
    for act in [nil, "cancel", "resume"] as [String?] {
      if let act {
        let answer = try await rig.ask("POST", "/v1/incidents/current/\(act)", json: "{}")
        #expect(answer.status == 200, "\(act): \(answer.text)")
      }
      let answer = try await rig.ask("GET", path, as: .observe)
      #expect(answer.status == 200 && answer.headers["content-type"] == "application/cap+xml")
      alerts.append(answer.text)
    }
    #expect(Set(alerts.map { texts("identifier", in: $0) }).count == 3)
    #expect(alerts.map { texts("urgency", in: $0) } == [["Immediate"], ["Past"], ["Past"]])
    #expect(alerts.map { texts("certainty", in: $0)[0] } == ["Possible", "Observed", "Observed"])
    let told = alerts.map { texts("references", in: $0)[0].split(separator: " ") }
    #expect(told.map(\.count) == [1, 2, 2], "the end is told, too")
    for (index, reference) in told[2].enumerated() {
      #expect(reference.split(separator: ",")[1] == "\(id).\(index + 1)")
    }
    #expect(alerts.allSatisfy { !$0.contains("Owner") && !$0.contains("Contact 1") })
    let refusals = try await blocking { [alerts] in
      try CAPReader.refusals(of: alerts.map { CAPReader.Alert($0) })
    }
    #expect(refusals.isEmpty, "\(refusals)")
    let other = id.dropLast() + (id.hasSuffix("0") ? "1" : "0")
    #expect(try await rig.ask("GET", "/v1/incidents/\(other)/alert.xml").status == 404)
  }

  private func texts(_ name: String, in alert: String) -> [Substring] {
    alert.split(separator: "\n").filter { $0.hasPrefix("<\(name)>") }.map {
      $0.dropFirst(name.count + 2).dropLast(name.count + 3)
    }
  }
}
