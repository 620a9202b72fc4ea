import Control
import Emulator
import FobBase
import SerialIO
import TestSupport
import Testing
import WireProtocol

@Suite struct FaultControlTests {
  @Test func `faults are set, shown with what they hit, and cleared over the socket`() throws {
    let rig = try Rig(controlName: "control")
    let client = try ControlClient(path: try #require(rig.keychain.configuration.controlPath))
    #expect(try rig.state().faults == nil)
    let done = #"{"ok":true}"#
    for command in [
      #"{"do":"fault","kind":"double","rate":0.01,"to":"host","seed":7}"#,
      #"{"do":"fault","kind":"drop","at":0,"count":2,"to":"host"}"#,
      #"{"do":"fault","kind":"stall","ms":5,"to":"device"}"#,
      #"{"do":"fault","kind":"insert","byte":0,"rate":0}"#,
      #"{"do":"fault","kind":"flip","bit":7,"at":1000000}"#,
    ] {
      #expect(try client.request(command) == done, "\(command)")
    }
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    try rig.wait(for: .acked(try rig.press()))
    let state = try rig.state()
    let faults = try #require(state.faults)
    #expect(
      faults.map { "\($0.kind) \($0.to)" } == [
        "insert host", "drop host", "flip host", "double host", "stall device", "insert device",
        "flip device",
      ])
    let drop = try #require(faults.first { $0.kind == .drop })
    #expect(drop.at == 0 && drop.count == 2 && drop.rate == nil && drop.struck == 2)
    #expect(faults.first { $0.kind == .double }?.rate == 0.01)
    #expect(faults.first { $0.kind == .stall }?.ms == 5)
    #expect(state.struck?["drop"] == 2 && state.struck?["stall"] == 1)
    #expect(try client.request(#"{"do":"state"}"#).contains(#""struck":{"#))
    #expect(try client.request(#"{"do":"fault","kind":"none"}"#) == done)
    #expect(try rig.state().faults == nil)
    #expect(try rig.state().struck?["drop"] == 2, "what was hit stays counted")
    #expect(try host.linked().deviceID == .bench(7))
  }

  @Test(arguments: [
    (#"{"do":"fault"}"#, "kind"), (#"{"do":"fault","kind":"melt"}"#, "none, double, drop"),
    (#"{"do":"fault","kind":"drop","rate":1.5}"#, "a number, 0.0 to 1.0"),
    (#"{"do":"fault","kind":"drop","rate":"much"}"#, "a number"),
    (#"{"do":"fault","kind":"drop","rate":0.1,"at":3}"#, "either"),
    (#"{"do":"fault","kind":"drop","rate":0.1,"count":3}"#, "either"),
    (#"{"do":"fault","kind":"drop","at":-1}"#, "whole number"),
    (#"{"do":"fault","kind":"drop","at":0,"count":0}"#, "whole number"),
    (#"{"do":"fault","kind":"drop","to":"nobody"}"#, "host, device or both"),
    (#"{"do":"fault","kind":"drop","ms":5}"#, "does not belong here"),
    (#"{"do":"fault","kind":"stall","ms":0}"#, "1 to 600000"),
    (#"{"do":"fault","kind":"flip","bit":8}"#, "0 to 7"),
    (#"{"do":"fault","kind":"insert","byte":256}"#, "0 to 255"),
    (#"{"do":"fault","kind":"none","rate":0.1}"#, "does not belong here"),
  ])
  func `a fault that cannot be set is answered with a hint`(
    request: String, hint: String
  ) throws {
    let rig = try Rig(controlName: "control")
    let client = try ControlClient(path: try #require(rig.keychain.configuration.controlPath))
    let answer = try client.request(request)
    #expect(answer.contains(#""ok":false"#) && answer.contains(hint), "\(answer)")
    #expect(try rig.state().faults == nil)
  }

  @Test func `an unplugged keychain forgets what a stall kept back`() throws {
    let rig = try Rig()
    let first = try TestHost(rig.keychain.linkPath, acks: true)
    try rig.wait(for: .linked)
    let stall = WireFault(.stall, .at(0), to: .host, pause: .seconds(600))
    #expect(try rig.keychain.perform(.fault(stall)) == .done)
    let number = try rig.press()
    #expect(try rig.keychain.perform(.unplug) == .done)
    #expect(try first.gone.first("the hang-up") { _ in true } == .hungUp)
    #expect(try rig.keychain.perform(.replug) == .done)
    let second = try TestHost(rig.keychain.linkPath, acks: true)
    #expect(try second.event(number).identity.kind == .pressed)
    try rig.wait(for: .acked(number))
  }
}
