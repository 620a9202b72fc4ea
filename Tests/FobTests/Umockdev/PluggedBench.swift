import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// Emulated keychains, each on its own pty, that stand in a testbed as USB devices, and a bridge
/// that sees only the testbed.
final class PluggedBench: BridgeRig {
  static let pin = "4711"
  let scratch: ScratchDirectory
  let testbed: Testbed
  private(set) var bridge: RunningFob!
  private var toBridge: Talk!
  var bridgeTalk: Talk { toBridge }
  private var keychains: [Int: (process: RunningFob, talk: Talk)] = [:]

  init(keychains count: Int = 1) throws {
    scratch = try ScratchDirectory()
    testbed = try Testbed()
    for number in 1...count {
      let process = try RunningFob(
        [
          "emulate", "--serial", "\(number)", "--link", link(number),
          "--control", scratch.path("\(number).sock"), "--store", scratch.path("\(number).store"),
        ], in: scratch)
      keychains[number] = (process, try Talk(scratch.path("\(number).sock")))
    }
  }

  deinit { bridge?.kill9() }

  static func serial(_ number: Int) -> String { "800000000000000\(number)" }

  private func link(_ number: Int) -> String { scratch.path("keychain-\(number)") }

  func startBridge(_ options: [String]) throws {
    bridge = try RunningFob(
      [
        "bridge", "--json", "--state", scratch.path("state"), "--control",
        scratch.path("bridge.sock"),
      ] + options, in: scratch, pin: Self.pin, environment: testbed.environment)
    toBridge = try Talk(scratch.path("bridge.sock"))
  }

  func fob(_ arguments: [String]) throws -> RunningFob {
    let fob = try RunningFob(
      arguments, in: scratch, awaitsReady: false, environment: testbed.environment)
    try #require(fob.awaitEnd() == 0, "\(fob.output)")
    return fob
  }

  /// The device is there before its node, as on a real bus.
  func plug(_ number: Int, as node: String, serial: String? = nil) throws {
    try testbed.plug(
      serial ?? Self.serial(number), into: number, as: node, leadingTo: link(number))
  }

  /// The line hangs up first, then udev tells of it.
  func unplug(_ number: Int, from node: String) throws {
    try talk(number).must(["do": "unplug"])
    try testbed.unplug(node)
  }

  func replug(_ number: Int, as node: String) throws {
    try talk(number).must(["do": "replug"])
    try plug(number, as: node)
  }

  func talk(_ number: Int) throws -> Talk { try #require(keychains[number]).talk }

  /// Both ends say so: the keychain hears of it first.
  func awaitLinked(_ number: Int) throws {
    try talk(number).must(["do": "wait", "for": "linked"])
    try waitUntil("\(number) is linked") { try linked().contains(Self.serial(number)) }
  }

  func press(_ number: Int) throws -> String {
    try #require(try talk(number).must(["do": "press"])["event"] as? String)
  }

  func awaitAck(_ event: String, of number: Int) throws {
    try talk(number).must(["do": "wait", "for": "acked", "event": event])
  }

  /// Serial numbers of the keychains that are linked now.
  func linked() throws -> Set<String> {
    let status = try #require(
      try bridgeTalk.must(["do": "status"])["status"] as? [String: Any])
    let links = try #require(status["links"] as? [[String: Any]])
    return Set(links.compactMap { $0["device"] as? String })
  }

  /// How many descriptors and threads the bridge has.
  var openInBridge: [Int] {
    ["fd", "task"].map { name in
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(bridge.pid)/\(name)"))?.count
        ?? -1
    }
  }

  /// Waits until the bridge has printed so many lines with these words.
  func awaitSaid(_ words: String, times: Int = 1) throws {
    try waitUntil("\(times) times \(words)") { said(words) >= times }
  }

  private func waitUntil(_ words: String, _ isSo: () throws -> Bool) throws {
    let deadline = BootClock.now() + .seconds(20)
    while try !isSo() {
      try #require(BootClock.now() < deadline, "not \(words) in:\n\(bridge.output)")
      usleep(2_000)
    }
  }

  func said(_ words: String) -> Int {
    bridge.output.split(whereSeparator: \.isNewline).count { $0.contains(words) }
  }
}
