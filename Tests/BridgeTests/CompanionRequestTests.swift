import AlertCore
import Bridge
import Control
import Foundation
import Storage
import TestSupport
import Testing

/// Affirmations, slots and reviews at the control socket.
@Suite final class CompanionRequestTests {
  private let bridgeRig: BridgeRig
  private let control: BridgeControl
  private let client: ControlClient

  private struct Reply: Decodable {
    struct Affirmation: Decodable, Equatable {
      let id: Int
      let text: String
    }

    struct Slot: Decodable {
      let slot: Int
      let name: String
      let message: String
      let addsPosition: Bool
    }

    struct Review: Decodable {
      struct Answer: Decodable, Equatable {
        let text: String
        let version: Int
      }

      let id: Int
      let state: String
      let answers: [Answer]
    }

    let ok: Bool
    var durable: Bool?
    var error: String?
    var affirmation: Affirmation?
    var slot: Slot?
    var review: Review?
  }

  private struct Rows: Decodable {
    struct Row: Decodable { let id: Int }

    let rows: [Row]
    var current: Int?
  }

  init() throws {
    let folder = try ScratchDirectory()
    bridgeRig = try BridgeRig([], sinks: [try RecordingSink()], in: folder)
    control = try BridgeControl(
      path: folder.path + "/control", bridge: bridgeRig.bridge)
    client = try ControlClient(path: folder.path + "/control")
  }

  deinit { control.stop() }

  @Test func `affirmations are listed, turned, added and deleted`() throws {
    let all = try rows(#"{"do":"affirmations"}"#)
    #expect(all.rows.count == 50 && all.current == 1)
    #expect(try ask(#"{"do":"affirmation"}"#).affirmation?.id == 1)
    #expect(try ask(#"{"do":"affirmation","act":"previous"}"#).affirmation?.id == 50)
    #expect(try ask(#"{"do":"affirmation","act":"next"}"#).affirmation?.id == 1)
    #expect(try ask(#"{"do":"affirmation","act":"select","id":7}"#).affirmation?.id == 7)
    let added = try ask(#"{"do":"affirmation","act":"add","text":"This passes."}"#)
    #expect(added.affirmation == Reply.Affirmation(id: 51, text: "This passes."))
    #expect(added.durable == true)
    #expect(try ask(#"{"do":"affirmation","act":"delete","id":51}"#).affirmation?.id == 1)
    try expectRefused(#"{"do":"affirmation","act":"delete","id":51}"#, "no such affirmation")
    for other in [#""act":"select""#, #""act":"next","id":3"#, #""act":"sing""#, #""id":3"#] {
      try expectRefused(#"{"do":"affirmation",\#(other)}"#, #""act" is next, previous"#)
    }
  }

  @Test func `a slot is filled and emptied by the PIN`() throws {
    let fill = #""do":"slot","act":"fill","slot":2,"contact":"contact-1","message":"Here.""#
    try expectRefused("{\(fill)}", "the PIN is needed")
    try expectRefused(#"{\#(fill),"pin":"1357"}"#, "wrong PIN")
    let slot = try #require(try ask(#"{\#(fill),"position":true,"pin":"2468"}"#).slot)
    #expect(slot.slot == 2 && slot.name == "Contact 1" && slot.message == "Here.")
    #expect(slot.addsPosition)
    let empty = #""do":"slot","act":"empty","slot":2"#
    try expectRefused(#"{\#(empty),"message":"There.","pin":"2468"}"#, "fill alone takes")
    #expect(try ask(#"{\#(empty),"pin":"2468"}"#).slot?.message == "")
    try expectRefused(#"{"do":"slot","act":"fill","pin":"2468"}"#, #""slot", 1 to 5"#)
    try expectRefused(#"{"do":"slot","act":"fill","slot":6,"pin":"2468"}"#, "1 to 5")
  }

  @Test func `reviews are begun, saved step by step, completed and deleted by the PIN`() throws {
    try expectRefused(#"{"do":"review","act":"begin"}"#, "the PIN is needed")
    let begun = try review(#""act":"begin""#)
    #expect(begun.id == 1 && begun.state == "inProgress")
    try expectRefused(#"{"do":"review","id":1}"#, "the PIN is needed")
    try expectRefused(#"{"do":"reviews"}"#, "the PIN is needed")
    for step in 1...4 {
      let saved = try review(#""act":"save","id":1,"step":\#(step),"text":"A \#(step)""#)
      #expect(saved.answers[step - 1] == Reply.Review.Answer(text: "A \(step)", version: 1))
    }
    let again = #""do":"review","act":"save","id":1,"step":2,"text":"B","pin":"2468""#
    try expectRefused("{\(again)}", "another window has saved")
    #expect(try review(#""act":"save","id":1,"step":2,"text":"B","seen":1"#).answers[1].text == "B")
    #expect(try review(#""act":"complete","id":1"#).state == "completed")
    #expect(try review(#""id":1"#).answers.map(\.text) == ["A 1", "B", "A 3", "A 4"])
    #expect(try ask(#"{"do":"review","act":"delete","id":1,"pin":"2468"}"#).review == nil)
    try expectRefused(#"{"do":"review","id":1,"pin":"2468"}"#, "no such review")
  }

  @Test func `reviews are listed by the week, without their words`() throws {
    _ = try review(#""act":"begin""#)
    _ = try review(#""act":"begin""#)
    _ = try review(#""act":"save","id":1,"step":1,"text":"Marmalade""#)
    #expect(try rows(#"{"do":"reviews","pin":"2468"}"#).rows.map(\.id) == [2, 1])
    let zone = try #require(bridgeRig.bridge.checkIns.zone)
    let week = ISOWeek(zone.date(at: bridgeRig.bridge.wall))
    let mine = #"{"do":"reviews","pin":"2468","week":"\#(week.text)"}"#
    #expect(try rows(mine).rows.count == 2)
    #expect(try client.request(mine).contains("Marmalade") == false)
    let before = week.advanced(by: -1).text
    #expect(try rows(#"{"do":"reviews","pin":"2468","week":"\#(before)"}"#).rows.isEmpty)
    try expectRefused(#"{"do":"reviews","pin":"2468","week":"2026-W54"}"#, "2026-W48")
  }

  @Test func `no answer of a review is told to who listens, or is in the log`() throws {
    _ = try review(#""act":"begin""#)
    _ = try review(#""act":"save","id":1,"step":1,"text":"Marmalade""#)
    try bridgeRig.journal.wait(.reviewSaved)
    for event in bridgeRig.journal.all {
      let line = String(decoding: try JSONEncoder().encode(EventJSON(event)), as: UTF8.self)
      #expect(!line.contains("Marmalade"), "\(line)")
    }
    let log = try bridgeRig.store.log(after: 0, limit: 1_000)
    #expect(log.contains { $0.name == "reviewSaved" })
    #expect(!log.contains { String(decoding: $0.json(), as: UTF8.self).contains("Marmalade") })
  }

  @Test func `a review looks back on an alarm that there was`() throws {
    let none = String(repeating: "0", count: 16) + "-00000001-" + String(repeating: "0", count: 16)
    for incident in [none, "yesterday"] {
      try expectRefused(
        #"{"do":"review","act":"begin","incident":"\#(incident)","pin":"2468"}"#,
        "one of the alarms")
    }
    for other in [#""act":"begin","id":1"#, #""act":"delete""#, #""act":"read","id":1"#] {
      try expectRefused(#"{"do":"review",\#(other),"pin":"2468"}"#, #"write "id""#)
    }
    try expectRefused(#"{"do":"review","act":"save","id":1,"step":1}"#, "save needs")
  }

  private func ask(_ line: String) throws -> Reply {
    try ControlAnswer.decode(try client.request(line))
  }

  private func rows(_ line: String) throws -> Rows {
    try ControlAnswer.decode(try client.request(line))
  }

  /// By the PIN.
  private func review(_ fields: String) throws -> Reply.Review {
    let reply = try ask(#"{"do":"review","pin":"2468",\#(fields)}"#)
    return try #require(reply.review, "\(reply.error ?? "")")
  }

  private func expectRefused(
    _ line: String, _ words: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let reply = try ask(line)
    #expect(!reply.ok, sourceLocation: location)
    #expect(reply.review == nil && reply.slot == nil, sourceLocation: location)
    #expect(reply.error?.contains(words) == true, "\(reply.error ?? "")", sourceLocation: location)
  }
}
