import AlertCore
import Bridge
import Control
import Emulator
import FobBase
import SerialIO
import Storage
import Synchronization
import TestSupport
import Testing

@Suite final class ControlSocketTests {
  private let folder: ScratchDirectory
  private let keychain: EmulatedKeychain
  private let bridgeRig: BridgeRig
  private let control: BridgeControl
  private let client: ControlClient

  private struct Reply: Decodable {
    struct Status: Decodable {
      let state: EmergencyState
      let incident: Incident?
      let contacts: Int
    }

    let ok: Bool
    var state: EmergencyState?
    var durable: Bool?
    var error: String?
    var status: Status?
  }

  init() throws {
    folder = try ScratchDirectory()
    keychain = try EmulatedKeychain.started(in: folder)
    bridgeRig = try BridgeRig(sinks: [try RecordingSink()], in: folder)
    control = try BridgeControl(
      path: folder.path + "/control", bridge: bridgeRig.bridge)
    client = try ControlClient(path: folder.path + "/control")
  }

  deinit {
    control.stop()
    keychain.stop()
  }

  @Test func `each user command is answered with the state and that it is durable`() throws {
    let number = try keychain.press()
    try bridgeRig.waitFor(.emergencySent)
    let status = try #require(try ask(#"{"do":"status"}"#).status)
    #expect(status.state == .emergencySent)
    #expect(status.incident?.presses.map(\.event) == [number.text])
    #expect(status.contacts == 2)
    for userCommand in [#""silence""#, #""quit""#, #""acknowledge","contact":"contact-2""#] {
      try expect(#"{"do":\#(userCommand)}"#, .emergencySent)
    }
    #expect(bridgeRig.bridge.status.incident?.acknowledgedBy == ["contact-2"])
    #expect(bridgeRig.bridge.status.incident?.sounder == false)
    try expect(#"{"do":"disarm","pin":"2468"}"#, .emergencyEnded)
    try expect(#"{"do":"resume"}"#, .noEmergency)
    #expect(try client.request(#"{"do":"presses"}"#).contains(#""event":"\#(number.text)""#))
    #expect(try client.request(#"{"do":"incidents"}"#).contains(#""endReason":"disarmed""#))
  }

  @Test func `log and history name the control socket for what is asked there`() throws {
    var draft = CheckInDraft()
    draft.description = "All well?"
    draft.rule = .days(every: 1)
    draft.lead = 40_320
    (draft.minute, draft.escalates) = (0, false)
    draft.start = bridgeRig.bridge.checkIns.zone?.date(at: WallClock.now() + 86_400_000_000)
    #expect(try bridgeRig.perform(.checkIn(.add(draft), isProven: true)).refusal == nil)
    #expect(try ask(#"{"do":"complete"}"#).ok)
    #expect(bridgeRig.bridge.checkIns.closed.last?.by == .person("control-socket"))
    _ = try keychain.press()
    try bridgeRig.waitFor(.emergencySent)
    for request in [#""silence""#, #""quit""#, #""disarm","pin":"2468""#, #""resume""#] {
      #expect(try ask(#"{"do":\#(request)}"#).ok)
    }
    for name in [.checkInCompleted, .silenced, .surveyOpened, .resumed] as [AuditEvent.Name] {
      try bridgeRig.journal.wait(name)
      let events = bridgeRig.journal.auditEvents.filter { $0.name == name }
      #expect(events.map(\.who) == ["control-socket"], "\(name)")
    }
  }

  @Test func `what may not be is refused with the reason`() throws {
    _ = try keychain.press()
    try bridgeRig.waitFor(.emergencySent)
    try expect(#"{"do":"disarm","pin":"1357"}"#, .emergencySent, "wrong PIN")
    try expect(#"{"do":"disarm","pin":"12345"}"#, .emergencySent, "wrong PIN")
    try expect(#"{"do":"cancel"}"#, .emergencySent, "the PIN is needed")
    try expect(
      #"{"do":"resume"}"#, .emergencySent, "there is no ended emergency to resume from")
    try expect(
      #"{"do":"acknowledge","contact":"nobody"}"#, .emergencySent, "no such contact")
    #expect(bridgeRig.bridge.status.incident?.isAcknowledged == false)
  }

  @Test func `with nothing open there is nothing to disarm, and that is said`() throws {
    for userCommand in [#""disarm","pin":"2468""#, #""cancel""#, #""silence""#, #""quit""#] {
      try expect(#"{"do":\#(userCommand)}"#, .noEmergency, "no emergency is open")
    }
  }

  @Test(arguments: [
    (#"{}"#, #"write one JSON object a line with "do", as in {"do":"status"}"#),
    (#"{"do":7}"#, #"write one JSON object a line with "do", as in {"do":"status"}"#),
    ("AT", "the request is not a JSON object"),
    (#"{"do":"disarm"}"#, #"disarm needs "pin", four digits"#),
    (
      #"{"do":"acknowledge"}"#,
      #"acknowledge needs "contact", the id of the contact who has it in hand"#
    ),
    (
      #"{"do":"stop"}"#,
      "'stop' is not known; one of status, presses, incidents, subscribe, disarm, cancel,"
        + " silence, quit, resume, acknowledge, end, tap, code, checkins, complete,"
        + " messages, message, slot, exercises, affirmations, affirmation, reviews, review"
        + ", pair, unpair"
    ),
  ])
  func `a request that is none is refused with a hint`(line: String, error: String) throws {
    let reply = try ask(line)
    #expect(!reply.ok)
    #expect(reply.error == error)
    #expect(try ask(#"{"do":"status"}"#).ok, "the next request is answered")
  }

  @Test func `a subscriber hears all that happens from its subscription on`() throws {
    bridgeRig.watch { [control] in control.tell($0) }
    let subscriber = try ControlClient(path: folder.path + "/control")
    #expect(try subscriber.request(#"{"do":"subscribe"}"#) == #"{"ok":true}"#)
    let number = try keychain.press()
    var types: Set<String> = []
    for line in subscriber.lines(before: BootClock.now() + .seconds(10)) {
      #expect(line.hasPrefix("{") && line.hasSuffix("}"))
      if line.contains(#""type":"led""#) { types.insert("led") }
      if line.contains(#""type":"stages""#) { types.insert("stages") }
      if line.contains(#""event":"\#(number.text)""#), line.contains(#""name":"committed""#) {
        types.insert("committed")
      }
      if types.count == 3 { break }
    }
    #expect(types == ["led", "stages", "committed"])
  }

  @Test(arguments: ["subscribe", "tap", "code"])
  func `what is of the whole core is refused to who names an account`(_ request: String) throws {
    for account in [1, 77] {
      let reply = try ask(#"{"do":"\#(request)","account":\#(account)}"#)
      #expect(reply.error == "\(request) is of the whole core: ask it without an account")
    }
  }

  @Test func `a socket that is stopped is gone, and the bridge goes on`() throws {
    control.stop()
    #expect(throws: IOFailure.self) { try ControlClient(path: folder.path + "/control") }
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
  }

  private func ask(_ line: String) throws -> Reply {
    try ControlAnswer.decode(try client.request(line))
  }

  private func expect(
    _ line: String, _ state: EmergencyState, _ error: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let reply = try ask(line)
    #expect(reply.ok == (error == nil), sourceLocation: location)
    #expect(reply.state == state, sourceLocation: location)
    #expect(reply.durable == true, sourceLocation: location)
    #expect(reply.error == error, sourceLocation: location)
  }
}
