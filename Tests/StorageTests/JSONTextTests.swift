import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// Foundation's encoder is the reference.
@Suite struct JSONTextTests {
  private func expectSame(_ value: some Encodable) throws {
    let text = try #require(try JSONText.of(value))
    let encoder = JSONEncoder()
    let own = try JSONSerialization.jsonObject(
      with: Data(text.utf8), options: .fragmentsAllowed)
    let reference = try JSONSerialization.jsonObject(
      with: encoder.encode(value), options: .fragmentsAllowed)
    #expect((own as? NSObject) == (reference as? NSObject), "\(text)")
  }

  @Test func `what is stored reads as the reference writes it`() throws {
    let incident = Incident.full(1)
    try expectSame(incident)
    try expectSame(incident.withoutLists)
    try expectSame(incident.presses)
    try expectSame(incident.aliases[0])
    try expectSame(Changes.ofEveryKind(1).notifications.values.first)
    try expectSame(
      DeviceRecord(batteryPercent: 3, lowBatteryDay: .min, firmware: "1", doubtedBoot: .max))
    try expectSame(DeviceRecord())
    var account = Account(name: "Owner", contacts: [.first], pinHash: "$6$", devices: [])
    try expectSame(account)
    account.places = [Place(name: "the market", latitude: .min, longitude: .max)]
    try expectSame(account)
  }

  @Test func `what each press writes reads as the reference writes it`() throws {
    func expectSame(_ written: [UInt8], _ value: some Encodable) throws {
      let own = try JSONSerialization.jsonObject(with: Data(written), options: .fragmentsAllowed)
      let reference = try JSONSerialization.jsonObject(
        with: JSONEncoder().encode(value), options: .fragmentsAllowed)
      #expect((own as? NSObject) == (reference as? NSObject), "\(type(of: value))")
    }
    for n: UInt32 in 1...4 {
      let changes = Changes.ofEveryKind(n)
      var incidents = Array(changes.incidents.values) + [Incident.full(n)]
      var nobodys = Incident.full(n)
      nobodys.isUnclaimed = true
      nobodys.survey = nil
      nobodys.gaveWay = GivenWay(id: nobodys.id, presses: nobodys.presses)
      incidents += [nobodys]
      incidents += EmergencyState.allCases.map { .sample(n, $0, openedAt: 1) }
      for incident in incidents {
        try expectSame(JSONObjectWriter.of(incident), incident.withoutLists)
        for press in incident.presses { try expectSame(JSONObjectWriter.of(press), press) }
        for alias in incident.aliases { try expectSame(JSONObjectWriter.of(alias), alias) }
      }
      for (key, notification) in changes.notifications {
        let incident = notification.incident.description
        try expectSame(JSONObjectWriter.of(notification, in: incident, key: key), notification)
        var odd = notification
        odd.contact.numbers = ["+15555550101", "+15555550102"]
        odd.contact.name = "\"\u{1}\\ü"
        odd.nextAttempt = .second(-9)
        odd.lastError = ""
        odd.attempts = .min
        try expectSame(JSONObjectWriter.of(odd, in: incident, key: key), odd)
      }
    }
  }

  @Test func `any text is written so that it reads back as it was`() throws {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2_000 {
      let scalars = (0..<8).compactMap { _ in
        Unicode.Scalar(
          UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x10FFFF), using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      #expect(try JSON.decode(#require(try JSONText.of([text]))) == [text])
    }
  }

  private struct Odd: Encodable {
    let write: @Sendable (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try write(encoder) }
  }

  @Test func `what is beyond it goes to the reference, and is never written wrongly`() throws {
    #expect(try JSONText.of(1.5) == nil)
    #expect(try JSONText.of([Date(timeIntervalSince1970: 1)]) == nil)
    #expect(try JSONText.of(["a": Data([1])]) == nil)
    let nested = Odd { encoder in
      var list = encoder.unkeyedContainer()
      var inner = list.nestedUnkeyedContainer()
      try inner.encode(1)
    }
    #expect(try JSONText.of(nested) == nil)
    #expect(try JSON.encode(nested) == "[[1]]")
    #expect(try JSONText.of(Odd { _ in }) == nil)
    #expect(try JSON.encode(["a": 1.5]) == #"{"a":1.5}"#)
    #expect(try JSON.encode([Int?.none, 3]) == "[null,3]")
  }
}
