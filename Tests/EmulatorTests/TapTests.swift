import Control
import Emulator
import FobBase
import SerialIO
import Testing

/// `{"do":"tap"}` at a keychain.
@Suite struct TapTests {
  @Test func `a keychain's link can be heard, both ways`() throws {
    let rig = try Rig(controlName: "control")
    let client = try ControlClient(path: try #require(rig.keychain.configuration.controlPath))
    #expect(try client.request(#"{"do":"tap"}"#) == #"{"ok":true}"#)
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    _ = try host.linked()
    var ways: Set<String> = []
    for line in client.lines(before: BootClock.now() + .seconds(10)) {
      #expect(line.contains(#""device":"8000000000000007""#), "\(line)")
      #expect(line.hasPrefix(#"{"at":"#) && line.contains(#""bytes":""#), "\(line)")
      for way in ["device", "host"] where line.contains(#""to":"\#(way)""#) { ways.insert(way) }
      if ways.count == 2 { break }
    }
    #expect(ways == ["device", "host"])
  }

  @Test func `with a tap client that never reads, presses still get acked by the host`() throws {
    let rig = try Rig(controlName: "control")
    let deaf = try ControlClient(path: try #require(rig.keychain.configuration.controlPath))
    #expect(try deaf.request(#"{"do":"tap"}"#) == #"{"ok":true}"#)
    let host = try TestHost(rig.keychain.linkPath, acks: true)
    _ = try host.linked()
    for _ in 0..<5 {
      let number = try rig.press()
      try rig.wait(for: .acked(number))
    }
    _ = consume deaf
  }

  @Test func `a misspelt field is refused, as everywhere`() throws {
    let rig = try Rig(controlName: "control")
    let client = try ControlClient(path: try #require(rig.keychain.configuration.controlPath))
    #expect(try client.request(#"{"do":"tap","too":"host"}"#).contains("does not belong here"))
  }
}
