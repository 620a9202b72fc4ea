import Control
import Emulator
import FobBase
import Testing

@Suite struct BoardControlTests {
  @Test func `the board's parts are reached by the socket and shown in the state`() throws {
    let rig = try Rig(controlName: "control")
    let client = try ControlClient(path: try #require(rig.keychain.configuration.controlPath))
    for command in [
      #"{"do":"gps","source":"story:tunnel","at_s":40}"#, #"{"do":"gps","at_s":10}"#,
      #"{"do":"battery","percent":60,"drain_per_hour":30}"#,
      #"{"do":"clock","drift_ppm":120}"#, #"{"do":"clock","jump_us":5000000}"#,
      #"{"do":"clock","jump_us":-4000000}"#, #"{"do":"button","chatter":true,"seed":7}"#,
      #"{"do":"sag","mv":200,"ms":5}"#, #"{"do":"stick"}"#,
    ] {
      #expect(try client.request(command) == #"{"ok":true}"#, "\(command)")
    }
    let state = try client.request(["do": "state"], as: EmulatorState.self)
    #expect(state.receiver == "story:tunnel,51.4778,-0.0015")
    #expect(state.drain == 30 && state.drift == 120)
    #expect(state.chatter && state.stuck)
    _ = try rig.events.first("the press") { $0.kind == "pressed" }
    for command in [
      #"{"do":"unstick"}"#, #"{"do":"button","chatter":false}"#,
      #"{"do":"battery","drain_per_hour":0}"#, #"{"do":"gps","source":"none"}"#,
      #"{"do":"gps","source":"track:51.5,-0.1,10,0,6?hz=5"}"#,
    ] {
      #expect(try client.request(command) == #"{"ok":true}"#, "\(command)")
    }
    let after = try rig.state()
    #expect(!after.chatter && !after.stuck && after.drain == 0)
    #expect(after.receiver == "track:51.5,-0.1,10.0,0.0,6.0?hz=5")
    #expect(try client.request(#"{"do":"press"}"#).contains(#""ok":true"#))
  }

  @Test(arguments: [
    (#"{"do":"button"}"#, "chatter"), (#"{"do":"unstick"}"#, "not stuck"),
    (#"{"do":"battery","drain_per_hour":-1}"#, "0 to 360000"),
    (#"{"do":"sag","mv":100}"#, "\\\"ms\\\""), (#"{"do":"sag","mv":0,"ms":1}"#, "1 to 65535"),
    (#"{"do":"clock"}"#, "drift_ppm"), (#"{"do":"clock","drift_ppm":10001}"#, "10000"),
    (#"{"do":"clock","drift_ppm":1,"jump_us":1}"#, "either"),
    (#"{"do":"clock","jump_us":3600000001}"#, "3600000000"),
    (#"{"do":"gps"}"#, "source"), (#"{"do":"gps","at_s":3}"#, "no story"),
    (#"{"do":"gps","source":"story:flood"}"#, "tunnel"),
    (#"{"do":"gps","source":"/nowhere/at.all"}"#, "nowhere"),
    (#"{"do":"gps","source":"none","speed":3}"#, "does not belong"),
  ])
  func `what cannot be is answered with a hint`(request: String, hint: String) throws {
    let rig = try Rig(controlName: "control")
    let client = try ControlClient(path: try #require(rig.keychain.configuration.controlPath))
    let answer = try client.request(request)
    #expect(answer.contains(#""ok":false"#) && answer.contains(hint), "\(answer)")
  }
}
