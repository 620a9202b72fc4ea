import Control
import Emulator
import FobBase
import SerialIO
import Testing
import WireProtocol

@Suite struct ControlTests {
  @Test func `every command is answered`() throws {
    let rig = try Rig(controlName: "control")
    let client = try rig.client()
    let done = #"{"ok":true}"#
    #expect(
      try client.request(#"{"do":"press"}"#) == #"{"event":"1.2","number":4294967298,"ok":true}"#)
    #expect(try client.request(#"{"do":"press","hold_ms":40}"#).contains(#""ok":true"#))
    #expect(try client.request(#"{"do":"hold"}"#).contains(#""event":"1."#))
    for command in [
      #"{"do":"release"}"#, #"{"do":"battery","percent":15}"#, #"{"do":"battery","mv":3700}"#,
      #"{"do":"unplug"}"#, #"{"do":"replug"}"#, #"{"do":"store","fail":true}"#,
      #"{"do":"store","fail":false}"#, #"{"do":"reset"}"#, #"{"do":"wait","for":"ready"}"#,
      #"{"do":"powercut","ms":5}"#, #"{"do":"wait","for":"ready","within_ms":9000}"#,
    ] {
      #expect(try client.request(command) == done, "\(command)")
    }
    let state = try client.request(Ask(do: "state"), as: EmulatorState.self)
    #expect(state.device == "8000000000000007")
    #expect(state.link == rig.keychain.linkPath)
    #expect(state.plugged && state.powered && !state.host)
    #expect(state.boot == 3)
    #expect(state.millivolts == 3_700)
    #expect(try client.request(#"{"do":"state"}"#).contains(#""ok":true"#))
  }

  @Test func `waiting for the host's ack over the socket on a real pty`() throws {
    let rig = try Rig(controlName: "control")
    let client = try rig.client()
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    #expect(
      try client.request(#"{"do":"wait","for":"linked"}"#, timeout: .seconds(10)) == #"{"ok":true}"#
    )
    let answer = try client.request(Ask(do: "press"), as: Committed.self)
    let wait = Ask(do: "wait", for: "acked", event: answer.event)
    #expect(try client.request(wait, as: Done.self, timeout: .seconds(10)).ok)
    #expect(try host.linked().deviceID == .bench(7))
  }

  @Test(arguments: [
    (#"{}"#, "do"), (#"{"do":7}"#, "do"), (#"{"do":"explode"}"#, "powercut"),
    (#"{"do":"press","hold":500}"#, "hold_ms"), (#"{"do":"press","hold_ms":0}"#, "1 to 600000"),
    (#"{"do":"press","hold_ms":"long"}"#, "whole number"),
    (#"{"do":"press","hold_ms":1e99}"#, "whole number"), (#"{"do":"battery"}"#, "percent"),
    (#"{"do":"battery","percent":101}"#, "0 to 100"),
    (#"{"do":"battery","percent":1,"mv":2}"#, "either"), (#"{"do":"powercut"}"#, "ms"),
    (#"{"do":"store"}"#, "fail"), (#"{"do":"store","fail":1}"#, "true or false"),
    (#"{"do":"wait"}"#, "linked"), (#"{"do":"wait","for":"acked","event":"12"}"#, "1.2"),
    (#"{"do":"wait","for":"acked","event":"1.-2"}"#, "1.2"),
    (#"{"do":"replug"}"#, "unplug"), (#"{"do":"release"}"#, "hold"), ("nonsense", "object"),
    (#"["do","press"]"#, "object"),
  ])
  func `what cannot be carried out is answered with a hint`(
    request: String, hint: String
  ) throws {
    let rig = try Rig(controlName: "control")
    let client = try rig.client()
    let answer = try client.request(request)
    #expect(answer.contains(#""ok":false"#) && answer.contains(hint), "\(answer)")
    #expect(try client.request(#"{"do":"wait","for":"ready"}"#) == #"{"ok":true}"#)
  }

  @Test func `a subscriber hears what happens, and the light if it asks`() throws {
    let rig = try Rig(controlName: "control")
    let listener = try rig.client()
    let all = try rig.client()
    #expect(try listener.request(#"{"do":"subscribe"}"#) == #"{"ok":true}"#)
    #expect(try all.request(#"{"do":"subscribe","leds":true}"#) == #"{"ok":true}"#)
    let number = try rig.press()
    let deadline = BootClock.now() + .seconds(10)
    let heard = listener.lines(before: deadline).first { $0.contains(#""kind":"pressed""#) }
    #expect(heard?.contains(#""event":"1.\#(number.n)""#) == true)
    #expect(all.lines(before: deadline).contains { $0.contains(#""name":"light""#) })
  }

  private struct Ask: Encodable {
    var `do`: String
    var `for`: String?
    var event: String?
  }

  private struct Committed: Decodable {
    var event: String
  }

  private struct Done: Decodable {
    var ok: Bool
  }
}

extension Rig {
  fileprivate func client() throws -> ControlClient {
    try ControlClient(path: try #require(keychain.configuration.controlPath))
  }
}
