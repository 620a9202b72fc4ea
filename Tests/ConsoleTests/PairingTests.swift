import AlertCore
import Bridge
import FobBase
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Console

/// Pairing of keychains by the API (PROTOCOL.md, 15).
struct PairingTests {
  private static let path = "/v1/devices/\(BenchCore.device.text)/pairing"
  private static let pin = #"{"pin":"2468"}"#

  private struct Result: Decodable {
    let state: String
    let warning: String?
  }

  @Test func `a keychain is paired, and un-paired, by its owner's PIN`() async throws {
    try await Rig.run { rig in
      for method in ["PUT", "DELETE"] {
        let done = try await rig.ask(method, Self.path, json: Self.pin)
        let result: Result = try done.json()
        #expect(done.status == 200 && result.warning == nil)
        let refused = try await rig.ask(method, Self.path, json: "{}")
        #expect(refused.status == 403)
        #expect(try refused.json(ProblemBody.self).code == "pinNeeded")
        let wrong = try await rig.ask(method, Self.path, json: #"{"pin":"1111"}"#)
        #expect(try wrong.json(ProblemBody.self).code == "wrongPIN")
        let short = try await rig.ask(method, Self.path, as: .operate, json: Self.pin)
        #expect(try short.json(ProblemBody.self).code == "scopeNeeded")
      }
    }
  }

  @Test(arguments: [
    (PairingRefusal.notLinked, 409, "notLinked"), (.remote, 409, "remoteKeychain"),
    (.severalLines, 409, "severalLines"),
    (.underWay, 409, "pairingRuns"), (.noPresence, 409, "notHeld"),
    (.unanswered, 424, "noAnswer"), (.storeFailed, 424, "notStored"),
    (.labelOf(.bench(9)), 409, "labelOfAnother"), (.notProved, 409, "keyNotProved"),
    (.notKept("no space"), 503, "keyNotKept"), (.refused(.locked), 423, "locked"),
  ])
  func `why a keychain was not paired is a problem of its own`(
    refusal: PairingRefusal, status: Int, code: String
  ) async throws {
    try await Rig.run { rig in
      rig.core.set { $0.pairing = refusal }
      let answer = try await rig.ask("PUT", Self.path, json: Self.pin)
      let problem: ProblemBody = try answer.json()
      #expect(answer.status == status && problem.code == code)
      #expect(problem.detail == "\(refusal)")
    }
  }

  @Test(arguments: [PairingRefusal.notLinked, .unanswered, .storeFailed])
  func `where the keychain has not answered the key is forgotten, with a warning`(
    refusal: PairingRefusal
  ) async throws {
    try await Rig.run { rig in
      rig.core.set { $0.pairing = refusal }
      let answer = try await rig.ask("DELETE", Self.path, json: Self.pin)
      let result: Result = try answer.json()
      #expect(answer.status == 200 && result.warning?.contains("paired anew") == true)
    }
  }

  @Test func `what is not paired cannot be un-paired, and no keychain is no path`() async throws {
    try await Rig.run { rig in
      rig.core.set { $0.pairing = .notPaired }
      let answer = try await rig.ask("DELETE", Self.path, json: Self.pin)
      #expect(answer.status == 409)
      #expect(try answer.json(ProblemBody.self).code == "notPaired")
      #expect(try await rig.ask("PUT", "/v1/devices/xyz/pairing", json: Self.pin).status == 404)
    }
  }

  @Test func `the code of a label is taken as it was typed, and a wrong one is not repeated`()
    async throws
  {
    let label = LabelCode(PairingKey(low: 1, high: 2), of: BenchCore.device)
    try await Rig.run { rig in
      let typed = label.text.lowercased().replacing("-", with: " ")
      let done = try await rig.ask("PUT", Self.path, json: #"{"pin":"2468","label":"\#(typed)"}"#)
      #expect(done.status == 200)
      #expect(rig.core.state.withLock { $0.labels } == [label])
      let wrong = String(label.text.dropLast()) + (label.text.last == "0" ? "1" : "0")
      let refused = try await rig.ask(
        "PUT", Self.path, json: #"{"pin":"2468","label":"\#(wrong)"}"#)
      let problem: ProblemBody = try refused.json()
      #expect(refused.status == 422 && problem.code == "labelMistyped")
      #expect(problem.field == "label")
      #expect(!String(decoding: refused.body, as: UTF8.self).contains(wrong.prefix(10)))
      #expect(rig.core.state.withLock { $0.labels.count } == 1)
    }
  }
}
