import AlertCore
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing
import WireProtocol

/// Rule 9 for many owners with real processes: each press becomes one entry, its owner's, whoever
/// dies when.
@Suite(.serialized) struct OwnersKillTests {
  private static let owners: ClosedRange<UInt32> = 1...(Soak.isOn ? 100 : 8)
  private static let kills = Soak.isOn ? 200 : 10

  @Test func `no press is lost, doubled or at the wrong owner, whoever is killed, real processes`()
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let rig = try OwnersRig(Self.owners)
    var pressed: [UInt32: Set<String>] = [:]
    for _ in 0..<Self.kills {
      let count = Int.random(in: 1...6, using: &random)
      let pressers = try Self.owners.shuffled(using: &random).prefix(count).map { serial in
        (serial, try rig.beginPress(serial))
      }
      usleep(UInt32.random(in: 15_000...60_000, using: &random))
      let killsKeychains = Int.random(in: 0..<4, using: &random) == 0
      if killsKeychains { rig.keychains.kill9() } else { rig.bridge.kill9() }
      for (serial, talk) in pressers {
        if let event = talk.answer()?["event"] as? String {
          pressed[serial, default: []].insert(event)
        }
      }
      if killsKeychains {
        for serial in Self.owners {
          pressed[serial, default: []].formUnion(try StoredPresses.read(rig.store(of: serial)))
        }
        try rig.startKeychains()
      } else {
        try rig.startBridge()
      }
      try rig.awaitNothingUnacked()
    }
    let count = try rig.expectEachOnce(pressed, "seed \(seed)")
    print(
      "killed bridge or keychains of \(Self.owners.count) owners \(Self.kills) times:"
        + " \(count) entries, seed \(seed)")
  }
}

/// Keychains in one process, and a bridge that gives each an owner.
private final class OwnersRig {
  private let scratch: ScratchDirectory
  private let serials: ClosedRange<UInt32>
  private(set) var keychains: RunningFob!
  private(set) var bridge: RunningFob!

  init(_ serials: ClosedRange<UInt32>) throws {
    scratch = try ScratchDirectory()
    self.serials = serials
    try startKeychains()
    try startBridge()
    let talk = try Talk(scratch.path("bridge.sock"))
    try awaitTrue("each has an owner") {
      try talk.ask(["do": "status", "account": serials.count + 1])["ok"] as? Bool == true
    }
  }

  private var toKeychains: Talk { get throws { try Talk(scratch.path("keychains.sock")) } }

  func store(of serial: UInt32) -> String { scratch.path("\(serial).store") }

  func startKeychains() throws {
    keychains = try RunningFob(
      [
        "emulate", "--count", "\(serials.count)", "--on", "unix:" + scratch.path("{n}"),
        "--serial", "\(serials.lowerBound)", "--store", scratch.path("{n}.store"),
        "--control", scratch.path("keychains.sock"),
      ], in: scratch)
  }

  func startBridge() throws {
    bridge = try RunningFob(
      ["bridge", "--device"] + serials.map { "unix:" + scratch.path("\($0)") } + [
        "--state", scratch.path("state"), "--control", scratch.path("bridge.sock"), "--log",
        scratch.path("alerts.jsonl"), "--owners", "each",
      ], in: scratch)
  }

  /// - Returns: where the answer comes, unless the keychain is killed before.
  func beginPress(_ serial: UInt32) throws -> Talk {
    let talk = try toKeychains
    try talk.begin(["do": "press", "hold_ms": 40, "serial": serial])
    return talk
  }

  func awaitNothingUnacked() throws {
    let talk = try toKeychains
    try awaitTrue("every event is acked") {
      let states = try talk.must(["do": "state", "all": true])["keychains"] as? [[String: Any]]
      return try #require(states).allSatisfy { $0["unacked"] as? Int == 0 }
    }
  }

  private func awaitTrue(_ words: String, _ isMet: () throws -> Bool) throws {
    let deadline = BootClock.now() + .seconds(60)
    while try !isMet() {
      try #require(BootClock.now() < deadline, "not so in 60 s: \(words): \(bridge.output)")
      usleep(5_000)
    }
  }

  /// Ends both, and looks at the state that they leave.
  /// - Parameter pressed: the events that each keychain is known to have stored.
  /// - Returns: the entries of all owners.
  func expectEachOnce(_ pressed: [UInt32: Set<String>], _ words: Comment) throws -> Int {
    bridge.interrupt()
    #expect(bridge.awaitEnd() == 0)
    let first = try AlertStore(directory: scratch.path("state"))
    #expect(try first.presses().isEmpty && first.incidents().isEmpty, words)
    var entries = 0
    var owners: Set<String> = []
    for store in try first.accounts().dropFirst().map({ first.store(of: $0) }) {
      let devices = try #require(try store.account()?.devices)
      #expect(devices.count == 1 && owners.insert(devices[0]).inserted, words)
      let serial = try #require(UInt32(devices[0].suffix(8), radix: 16))
      let presses = try store.presses()
      #expect(presses.allSatisfy { $0.device == devices[0] }, "a stranger's press, \(words)")
      let events = presses.map(\.event)
      #expect(Set(events).count == events.count, "an entry twice, \(words)")
      #expect(pressed[serial, default: []].isSubset(of: events), "a press is lost, \(words)")
      let incidents = try store.incidents()
      #expect(incidents.count == min(1, presses.count), words)
      #expect(Set(presses.map(\.incident)) == Set(incidents.map(\.id.description)), words)
      try expectTold(incidents, of: devices[0], words)
      entries += presses.count
    }
    #expect(owners.count == serials.count, words)
    return entries
  }

  /// Of what is told of an incident all goes to its own owner's contact.
  private func expectTold(_ incidents: [Incident], of device: String, _ words: Comment) throws {
    let told = try String(contentsOfFile: scratch.path("alerts.jsonl"), encoding: .utf8)
      .split(separator: "\n").filter { $0.contains("contact-\(device)@example.org") }
    #expect(told.isEmpty == incidents.isEmpty, "nobody is told, \(words)")
    for line in told {
      let isOwn = incidents.contains { line.contains($0.id.description) }
      #expect(isOwn, "a stranger is told, \(words)")
    }
  }
}
