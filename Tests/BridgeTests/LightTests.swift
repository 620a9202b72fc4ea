import AlertCore
import Bridge
import FobBase
import Sinks
import TestSupport
import Testing
import WireProtocol

/// What a watcher is told of the light.
@Suite struct LightTests {
  @Test func `a heartbeat tells the light where LED_STATE was lost, and is silent where not`()
    throws
  {
    let folder = try ScratchDirectory()
    let device = try RawDevice(in: folder)
    let bridgeRig = try BridgeRig(sinks: [try RecordingSink()], in: folder)
    try device.say(Hello.answering(try device.hear(Hello.self)))
    try device.say(
      LEDState(
        clock: 1, shown: .idle, detail: 0, sounder: false, source: .own, session: 0, revision: 0))
    try device.say(beat(.idle))
    try device.say(beat(.sending, sounder: true))
    try device.say(beat(.sending, sounder: true))
    try device.say(beat(.failed))
    try bridgeRig.journal.wait("the last of it is told") {
      bridgeRig.journal.lights.last == .failed
    }
    #expect(bridgeRig.journal.lights == [.idle, .sending, .failed])
  }

  private func beat(_ shown: ShownState, sounder: Bool = false) -> Heartbeat {
    var beat = Heartbeat()
    beat.shown = shown
    beat.flags = sounder ? .sounder : .none
    return beat
  }
}
