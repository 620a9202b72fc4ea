import FobBase
import Foundation
import TestSupport
import Testing

/// Somebody starts `fob emulate` twice.
@Suite struct SecondEmulateTests {
  @Test(arguments: [
    ["--link", "keychain", "--control", "keychain.sock"],
    ["--link", "keychain", "--control", "other.sock"],
    ["--link", "other", "--control", "keychain.sock"],
    ["--link", "keychain", "--control", "other.sock", "--count", "1"],
  ])
  func `a second emulate that fails leaves the first one's link and socket as they were`(
    options: [String]
  ) throws {
    let scratch = try ScratchDirectory()
    let link = scratch.path("keychain")
    let socket = scratch.path("keychain.sock")
    let first = try RunningFob(["emulate", "--link", link, "--control", socket], in: scratch)
    defer { first.interrupt() }
    let leadsTo = try FileManager.default.destinationOfSymbolicLink(atPath: link)
    let second = try RunningFob(
      ["emulate"] + options.map { $0.hasPrefix("--") || $0 == "1" ? $0 : scratch.path($0) },
      in: scratch, awaitsReady: false)
    #expect(second.awaitEnd() == 66, "\(second.output)")
    #expect(second.output.contains("another process"), "\(second.output)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == leadsTo)
    // It answers as before, and a host finds the keychain by its link.
    let bridge = try RunningFob(
      [
        "bridge", "--device", link, "--state", scratch.path("state"), "--control",
        scratch.path("bridge.sock"),
      ], in: scratch)
    let linked = try RunningFob(
      ["ctl", "wait", "linked", "--socket", socket, "--timeout", "30"], in: scratch,
      awaitsReady: false)
    #expect(linked.awaitEnd(within: .seconds(40)) == 0, "\(linked.output)")
    bridge.interrupt()
    bridge.awaitEnd()
    for name in ["other", "other.sock"] {
      #expect(!FileManager.default.fileExists(atPath: scratch.path(name)))
    }
  }

  @Test func `a link of a killed emulate is taken by the next`() throws {
    let scratch = try ScratchDirectory()
    let options = [
      "emulate", "--link", scratch.path("keychain"), "--control", scratch.path("keychain.sock"),
    ]
    let first = try RunningFob(options, in: scratch)
    first.kill9()
    let second = try RunningFob(options, in: scratch)
    second.interrupt()
    #expect(second.awaitEnd() == 0)
  }
}
