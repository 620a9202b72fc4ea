import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// Rule 9 on a stock kernel, with three keychains plugged in: however one of them goes and comes
/// back, each press becomes exactly one entry in the core, of the keychain on which it was.
@Suite(.serialized, .enabled(if: USBGuest.isHere)) struct USBGuestReplugTests {
  private enum Cycle: CaseIterable {
    case idle
    case pressInFlight
    /// The new port cannot have the number of the old one.
    case portHeldByAnother
    case killed
    case killedWithPressInFlight
  }

  private struct Holding: Equatable {
    let descriptors: Int
    let threads: Int

    init(_ process: RunningFob) throws {
      let files = FileManager.default
      descriptors = try files.contentsOfDirectory(atPath: "/proc/\(process.pid)/fd").count
      threads = try files.contentsOfDirectory(atPath: "/proc/\(process.pid)/task").count
    }
  }

  @Test
  func `no press is lost or doubled and nothing leaks however three keychains are replugged`()
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let rig = try USBRig([.tty, .usb, .tty])
    try rig.plug()
    var pressed: [String: [String]] = [:]
    for serial in rig.serials {
      try rig.awaitLinked(serial)
      pressed[serial] = [try rig.pressToAck(serial)]
    }
    let before = try Holding(rig.bridge)
    for index in 0..<USBGuest.replugs {
      let cycle = Cycle.allCases[index % Cycle.allCases.count]
      // A keychain that the bridge has by libusb has no port that could be held.
      let candidates = cycle == .portHeldByAnother ? [rig.serials[0], rig.serials[2]] : rig.serials
      let serial = try #require(candidates.randomElement(using: &random))
      let started = BootClock.now()
      let events = try perform(cycle, on: serial, rig, &random)
      pressed[serial, default: []] += events
      for serial in rig.serials {
        try rig.awaitLinked(serial)
        try rig.awaitNothingUnacked(serial)
      }
      pressed[serial, default: []].append(try rig.pressToAck(serial))
      for serial in rig.serials {
        #expect(
          try rig.presses(of: serial) == pressed[serial], "\(cycle) of \(serial), seed \(seed)")
      }
      USBGuest.say("replug \(index + 1), \(cycle) of \(serial):", since: started)
    }
    // What only its start needed may have ended since.
    try USBGuest.await("\(before) at the most; now \((try? Holding(rig.bridge)) as Any)") {
      let now = try Holding(rig.bridge)
      return now.descriptors <= before.descriptors && now.threads <= before.threads
    }
    #expect(try rig.presses().allSatisfy { $0.incident != nil }, "seed \(seed)")
    #expect(try rig.incidents().count == 1, "seed \(seed)")
    rig.stop()
  }

  /// - Returns: the presses that it made on this keychain, those in its store included.
  private func perform(
    _ cycle: Cycle, on serial: String, _ rig: USBRig, _ random: inout SeededGenerator
  ) throws -> [String] {
    let early = UInt32.random(in: 15_000...60_000, using: &random)
    switch cycle {
    case .idle:
      try rig.ask(["do": "unplug"], of: serial)
      try rig.awaitNoNode(serial)
      try replug(serial, rig)
      return []
    case .pressInFlight:
      let other = try Talk(rig.scratch.path("keychain.sock"))
      try rig.toKeychains.begin(rig.addressed(["do": "press", "hold_ms": 40], serial))
      usleep(early)
      try other.must(rig.addressed(["do": "unplug"], serial))
      let event = try #require(rig.toKeychains.answer()?["event"] as? String)
      try replug(serial, rig)
      return [event]
    case .portHeldByAnother:
      try replugUnderAnotherName(serial, rig)
      return []
    case .killed, .killedWithPressInFlight:
      let known = try rig.presses(of: serial)
      if cycle == .killedWithPressInFlight {
        try rig.toKeychains.begin(rig.addressed(["do": "press", "hold_ms": 40], serial))
        usleep(early)
      }
      rig.keychains.kill9()
      let answered = rig.toKeychains.answer()?["event"] as? String
      let stored = try StoredPresses.read(rig.storePath(serial))
      for serial in rig.serials { try rig.awaitNoNode(serial) }
      try rig.startKeychains()
      try rig.plug()
      let later = try rig.presses(of: serial)
      let fresh = (later + stored + (answered.map { [$0] } ?? [])).filter { !known.contains($0) }
      return fresh.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
  }

  private func replug(_ serial: String, _ rig: USBRig) throws {
    try rig.ask(["do": "replug"], of: serial)
    try rig.plug(serial)
  }

  private func replugUnderAnotherName(_ serial: String, _ rig: USBRig) throws {
    let link = USBRig.link(serial)
    let files = FileManager.default
    let port = try files.destinationOfSymbolicLink(atPath: link)
    let holder = try PortHolder(link)
    try rig.ask(["do": "unplug"], of: serial)
    try rig.awaitNoNode(serial)
    try replug(serial, rig)
    try rig.awaitNode(serial)
    #expect(try files.destinationOfSymbolicLink(atPath: link) != port)
    holder.release()
  }
}
