import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// Keychains here, the core there, as processes: what is claimed is true, and nothing is lost.
@Suite(.serialized) struct RemoteRigTests {
  @Test func `a press is accepted by a core elsewhere, which dies and comes back, real processes`()
    throws
  {
    let rig = try RemoteRig()
    let first = try rig.press()
    try rig.awaitAck(first)
    try rig.awaitShown("accepted")
    rig.core.kill9()
    let killed = BootClock.now()
    try rig.awaitShown("unclaimed")
    // Five seconds of silence, and the lease.
    #expect(BootClock.now() - killed < .seconds(40))
    let second = try rig.press()
    try rig.awaitShown("sending")
    try rig.startCore()
    try rig.awaitAck(second)
    try rig.awaitShown("accepted")
    #expect(try rig.presses() == [first, second])
    #expect(try rig.links() == 1)
  }

  @Test func `a press while the bridge is dead comes through its next run, once, real processes`()
    throws
  {
    let rig = try RemoteRig()
    try rig.expect("the link") { try rig.links() == 1 }
    rig.bridge.kill9()
    let event = try rig.press()
    try rig.startBridge()
    try rig.awaitAck(event)
    try rig.awaitShown("accepted")
    #expect(try rig.presses() == [event])
    #expect(try rig.links() >= 1)
    // The core while a bridge listens to it, then the bridge while it has no core.
    rig.core.interrupt()
    #expect(rig.core.awaitEnd() == 0)
    rig.bridge.interrupt()
    #expect(rig.bridge.awaitEnd() == 0)
  }

  @Test func `a keychain is paired by its label at a core elsewhere, which alone has the key`()
    throws
  {
    let rig = try RemoteRig(isLabelled: true)
    try rig.expect("the link") { try rig.links() == 1 }
    let label = try String(contentsOfFile: rig.scratch.path("label"), encoding: .utf8)
    try rig.toCore.must(["do": "pair", "label": label, "pin": "4711"])
    let first = try rig.press()
    try rig.awaitAck(first)
    try rig.awaitShown("accepted")
    // By another run of each, too, whose sessions are new.
    rig.core.kill9()
    try rig.startCore()
    rig.bridge.kill9()
    try rig.startBridge()
    let second = try rig.press()
    try rig.awaitAck(second)
    try rig.awaitShown("accepted")
    let told = try rig.asking().ask("/v1/status")
    #expect(told.contains(#""isPaired":true"#) && told.contains(#""isProved":true"#), "\(told)")
    #expect(!rig.core.output.contains("not proved"), "\(rig.core.output)")
    let keys = try FileManager.default.subpathsOfDirectory(atPath: rig.scratch.path).filter {
      $0.hasSuffix("keys")
    }
    #expect(keys == ["state/keys"], "the bridge has none")
  }

  @Test func `a token that the core does not know is said, and tried again, real processes`() throws
  {
    let rig = try RemoteRig()
    rig.bridge.kill9()
    try RemoteRig.write("fob_nonsense", to: rig.tokenFile)
    try rig.startBridge()
    try rig.expect("words about the token") {
      rig.bridge.output.contains("does not know the token")
        && rig.bridge.output.contains("fob token create --scope feed")
    }
    _ = try rig.press()
    #expect(try rig.toKeychain.must(["do": "state"])["shown"] as? String == "sending")
    #expect(try rig.presses().isEmpty)
  }

  @Test func `over TLS, a certificate of one's own is trusted where it is named, real processes`()
    throws
  {
    let rig = try RemoteRig(tls: true, bridgeOptions: ["--ca", "SCRATCH/cert.pem"])
    let event = try rig.press()
    try rig.awaitAck(event)
    try rig.awaitShown("accepted")
    #expect(try rig.presses() == [event])
  }

  @Test func `over TLS, a certificate that nobody vouches for is refused, real processes`() throws {
    let rig = try RemoteRig(tls: true)
    try rig.expect("words about the certificate") {
      rig.bridge.output.contains("its certificate is not trusted")
    }
    #expect(try rig.links() == 0)
  }

  @Test(arguments: [
    (["--core", "https://core.example.org"], "--token-file"),
    (["--core", "http://core.example.org", "--token-file", "x"], "clear text"),
    (["--core", "core.example.org", "--token-file", "x"], "https://HOST:PORT"),
    (["--core", "https://a:b@core.example.org", "--token-file", "x"], "nothing more"),
    (["--token-file", "x"], "--core"),
    (["--core", "https://core.example.org", "--token-file", "x", "--pin", "-"], "fob core"),
  ])
  func `what cannot be is refused before anything starts`(options: [String], words: String) throws {
    let fob = try RunningFob(
      ["bridge", "--device", "pty:/nonexistent"] + options, in: ScratchDirectory(),
      awaitsReady: false)
    #expect(fob.awaitEnd() == 64)
    #expect(fob.output.contains(words), "\(fob.output)")
  }

  @Test func `a token that others can read is refused`() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.path("token")
    try Data("fob_x\n".utf8).write(to: URL(fileURLWithPath: file))
    let fob = try RunningFob(
      [
        "bridge", "--device", "pty:/nonexistent", "--core", "https://core.example.org",
        "--token-file", file,
      ], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 66)
    #expect(fob.output.contains("chmod 600"), "\(fob.output)")
  }
}
