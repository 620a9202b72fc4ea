import Foundation
import TestSupport
import Testing

/// `fob ctl watch`: the keychain's own state, as it changes.
@Suite struct WatchTests {
  @Test func `watch asks the keychain, also beside a bridge, and shows each change of its state`()
    throws
  {
    let scratch = try ScratchDirectory()
    let keychain = try RunningFob(["emulate"], in: scratch)
    defer { keychain.interrupt() }
    let bridge = try RunningFob(
      [
        "bridge", "--device", scratch.path("runtime/fob/keychain"), "--state",
        scratch.path("state"),
      ],
      in: scratch)
    defer { bridge.interrupt() }
    let watch = try RunningFob(["ctl", "watch"], in: scratch, awaitsReady: false)
    defer { watch.kill9() }
    try watch.awaitOutput(#""millivolts":"#)
    let lines = watch.output.split(separator: "\n")
    #expect(lines.first == #"{"ok":true}"#)
    #expect(lines.dropFirst().first?.contains(#""battery":87"#) == true, "\(watch.output)")
    try ask(["battery", "--percent", "14"], scratch)
    try watch.awaitOutput(#""battery":14"#)
    try ask(["unplug"], scratch)
    try watch.awaitOutput(#""plugged":false"#)
    for line in watch.output.split(separator: "\n") {
      #expect(
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
    }
  }

  private func ask(_ words: [String], _ scratch: ScratchDirectory) throws {
    let fob = try RunningFob(["ctl"] + words, in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 0, "\(fob.output)")
  }
}
