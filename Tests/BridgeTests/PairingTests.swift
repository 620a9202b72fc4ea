import AlertCore
import Bridge
import Control
import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO
import Storage
import TestSupport
import Testing
import WireProtocol

/// A real keychain and a real core, paired and un-paired (PROTOCOL.md, 15).
@Suite struct PairingTests {
  private let folder: ScratchDirectory
  private let keychain: EmulatedKeychain
  private let rig: BridgeRig

  init() throws {
    folder = try ScratchDirectory()
    keychain = try EmulatedKeychain.started(in: folder)
    var account = BridgeRig.account
    account.devices = [DeviceID.bench(1).text]
    rig = try BridgeRig(account: account, sinks: [try RecordingSink()], in: folder)
    try keychain.wait(for: .linked)
  }

  private var device: CoreStatus.Device? { rig.bridge.status.devices.first }

  private func answer(
    _ ask: (@escaping @Sendable (PairingRefusal?) -> Void) -> Void
  ) throws -> PairingRefusal? {
    let waiting = try Waiting<PairingRefusal?>()
    ask { waiting.put($0) }
    return try waiting.get()
  }

  private func pair(_ pin: String = "2468") throws -> PairingRefusal? {
    try answer { rig.bridge.pair(.bench(1), pin: pin, by: "console", answer: $0) }
  }

  private func unpair() throws -> PairingRefusal? {
    try answer { rig.bridge.unpair(.bench(1), pin: "2468", by: "console", answer: $0) }
  }

  /// What the log says of pairing.
  private var told: [LogEntry] {
    ((try? rig.store.log(after: 0, limit: 1_000)) ?? []).filter { $0.name.hasPrefix("keychain") }
  }

  /// As a person does it: power off, the button held, power on.
  private func hold() throws {
    // Long enough for a finger that other programs hold up.
    _ = try keychain.perform(.powerCut(.seconds(3)))
    _ = try keychain.perform(.stick)
    try rig.journal.wait(.linkUp, 2)
  }

  @Test func `a keychain that is held is paired, its presses are proved, and who did it is logged`()
    throws
  {
    try hold()
    #expect(try pair() == nil)
    #expect(device?.isPaired == true)
    _ = try keychain.perform(.unstick)
    _ = try keychain.press()
    try rig.journal.waitForLight(.accepted)
    #expect(device?.isProved == true, "or its light would not follow this core")
    #expect(rig.bridge.status.incident?.presses.map(\.isProved) == [true])
    #expect(try pair() == .refused(.locked), "its light would go out")
    #expect(try unpair() == .refused(.locked))
    #expect(try rig.disarm("2468").refusal == nil)
    #expect(try rig.perform(.resume).refusal == nil)
    #expect(try unpair() == nil)
    #expect(device?.isPaired == false && device?.isProved == nil)
    #expect(try unpair() == .notPaired)
    try rig.journal.wait("both are durable") { told.count == 2 }
    #expect(told.map(\.name) == ["keychainPaired", "keychainUnpaired"])
    #expect(told.map(\.who) == ["console", "console"])
  }

  @Test func `one that is not held, not there or not the owner's to pair is refused`() throws {
    #expect(try pair("1111") == .refused(.wrongPIN))
    #expect(try pair() == .noPresence)
    #expect(device?.isPaired == false)
    let other = try answer { rig.bridge.pair(.bench(9), pin: "2468", by: "console", answer: $0) }
    #expect(other == .notLinked)
    #expect(try unpair() == .unanswered, "it may have taken the key, whoever has answered")
    #expect(try unpair() == .notPaired)
  }

  @Test(arguments: [AccountChange.disconnect(.bench(1)), .erase])
  func `R21, R86: who lets go of a keychain takes its key from it`(change: AccountChange) throws {
    try hold()
    #expect(try pair() == nil)
    _ = try keychain.perform(.unstick)
    let done = try Waiting.answer {
      rig.bridge.change(change, pin: "2468", by: "console", answer: $0)
    }
    #expect(done.refusal == nil)
    try rig.journal.wait(.keychainUnpaired)
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
    #expect(rig.journal.count(.pressUnproved) == 0, "no key at the keychain")
  }

  @Test func `where two lines say that they are it and none proves it, neither gets a key`() throws
  {
    let stranger = try RawDevice(in: folder, named: "stranger")
    try rig.bridge.add(DeviceSpec(pty: folder.path("stranger")))
    let asked = try stranger.hear(Hello.self)
    var hello = Hello(role: .device, session: asked.session, software: asked.software)
    hello.deviceID = .bench(1)
    try stranger.say(hello)
    try rig.journal.wait(.linkUp, 2)
    #expect(try pair() == .severalLines)
    #expect(
      try answer {
        rig.bridge.pair(
          .bench(1), by: LabelCode(Self.key, of: .bench(1)), pin: "2468", by: "console", answer: $0)
      } == .severalLines)
  }

  // MARK: By a label

  private static let key = PairingKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)

  private func pair(by label: LabelCode, _ pin: String = "2468") throws -> PairingRefusal? {
    try answer { rig.bridge.pair(.bench(1), by: label, pin: pin, by: "console", answer: $0) }
  }

  @Test func `a label that the keychain does not prove changes nothing`() throws {
    let label = LabelCode(Self.key, of: .bench(1))
    #expect(try pair(by: label, "1111") == .refused(.wrongPIN))
    #expect(try pair(by: LabelCode(Self.key, of: .bench(2))) == .labelOf(.bench(2)))
    #expect(try pair(by: label) == .notProved)
    #expect(device?.isPaired == false)
    try hold()
    #expect(try pair() == nil)
    _ = try keychain.perform(.unstick)
    #expect(try pair(by: label) == .notProved)
    _ = try keychain.press()
    try rig.journal.waitForLight(.accepted)
    #expect(device?.isPaired == true && device?.isProved == true)
    #expect(rig.bridge.status.incident?.presses.map(\.isProved) == [true])
    #expect(try pair(by: label) == .refused(.locked))
    let absent = LabelCode(Self.key, of: .bench(9))
    #expect(try rig.disarm("2468").refusal == nil)
    #expect(
      try answer {
        rig.bridge.pair(.bench(9), by: absent, pin: "2468", by: "console", answer: $0)
      } == .notLinked)
  }
}

/// A line that sends back what it gets, as a cable whose two wires touch: PAIR comes back, too.
@Suite struct EchoTests {
  @Test func `no tap of a line that echoes has the key, also where PAIR comes back damaged`()
    throws
  {
    let folder = try ScratchDirectory()
    let device = try RawDevice(in: folder)
    var account = BridgeRig.account
    account.devices = [DeviceID.bench(9).text]
    let rig = try BridgeRig(account: account, sinks: [try RecordingSink()], in: folder)
    let heard = Gathered<TapChunk>()
    try rig.bridge.tap.follow { chunks, _ in heard.put(contentsOf: chunks) }
    try device.say(Hello.answering(try device.hear(Hello.self)))
    try rig.journal.wait(.linkUp)
    rig.bridge.pair(.bench(9), pin: "2468", by: "console") { _ in }
    let pair = try device.hear(Pair.self)
    let frame = WireFrame(FrameBody(pair, sequence: 4)).withBytes { Array($0) }
    try device.say(frame)
    for at in frame.indices {
      var damaged = frame
      damaged[at] ^= 0x10
      try device.say(damaged + [0])
    }
    let press = EventRecord.press(1)
    try device.say(press)
    let last = WireFrame(FrameBody(press, sequence: 0)).withBytes { Array($0) }
    func bytes(_ direction: LineTap.Direction) -> [UInt8] {
      heard.all.filter { $0.to == direction }.flatMap(\.bytes)
    }
    try heard.wait("the press") { bytes(.host).suffix(last.count) == last }
    let key = withUnsafeBytes(of: (pair.keyLow.littleEndian, pair.keyHigh.littleEndian)) {
      Array($0)
    }
    let blank = WireFrame(
      FrameBody(Pair(session: pair.session, keyLow: 0, keyHigh: 0), sequence: 4)
    )
    .withBytes { Array($0) }
    #expect(bytes(.host).contains(blank), "the echo itself is seen")
    for direction in [LineTap.Direction.host, .device] {
      for at in 0...key.count - 4 {
        #expect(!bytes(direction).contains(key[at..<at + 4]), "to the \(direction)")
      }
    }
  }
}

/// A keychain that has its key from the factory, and its core.
@Suite struct LabelPairingTests {
  /// A core that was killed in a pairing: the keychain has taken the key, or has not.
  @Test(arguments: [true, false])
  func `a start finds out which of two keys the keychain has, and forgets the other`(
    isTaken: Bool
  ) throws {
    let folder = try ScratchDirectory()
    let key = PairingKey(low: 1, high: 2)
    var configuration = EmulatorConfiguration(
      serial: 1, linkPath: folder.path("keychain"), bounceSeed: nil)
    configuration.label = LabelCode(key, of: .bench(1))
    let keychain = try EmulatedKeychain(configuration)
    let state = folder.path("state")
    try #require(mkdir(state, 0o700) == 0)
    let name = DeviceID.bench(1).text
    let (has, other) = ("0000000000000001 0000000000000002", "0000000000000003 0000000000000004")
    let lines = isTaken ? [other, has + " offered"] : [has, other + " offered"]
    let text = (["fob keys 1"] + lines.map { "\(name) \($0)" }).joined(separator: "\n") + "\n"
    try PrivateFile.write(Array(text.utf8), to: state + "/keys")
    try keychain.start()
    var account = BridgeRig.account
    account.devices = [name]
    let rig = try BridgeRig(account: account, sinks: [try RecordingSink()], in: folder)
    try rig.journal.wait("the file has the one key") {
      (try? String(contentsOfFile: state + "/keys", encoding: .utf8))
        == "fob keys 1\n\(name) \(has)\n"
    }
    if isTaken { try rig.journal.wait(.keychainPaired) }
    _ = try keychain.press()
    try rig.journal.waitForLight(.accepted)
    #expect(rig.journal.count(.keychainPaired) == (isTaken ? 1 : 0))
    #expect(rig.bridge.status.incident?.presses.map(\.isProved) == [true])
  }

  @Test func `a core that cannot read its keys says so in its status, and hears every press`()
    throws
  {
    let folder = try ScratchDirectory()
    try #require(mkdir(folder.path("state"), 0o700) == 0)
    try PrivateFile.write(Array("fob keys 1\nrubbish\n".utf8), to: folder.path("state/keys"))
    let rig = try BridgeRig([], sinks: [try RecordingSink()], in: folder)
    #expect(rig.bridge.status.concerns.contains(.noKey))
    #expect(rig.bridge.status.warnings.contains { $0.contains("keys is damaged") })
  }

  @Test func `its label pairs it, its presses are proved, and the log says by which way`() throws {
    let folder = try ScratchDirectory()
    let key = PairingKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
    let label = LabelCode(key, of: .bench(1))
    var configuration = EmulatorConfiguration(
      serial: 1, linkPath: folder.path("keychain"), bounceSeed: nil)
    configuration.label = label
    let keychain = try EmulatedKeychain(configuration)
    try keychain.start()
    var account = BridgeRig.account
    account.devices = [DeviceID.bench(1).text]
    let rig = try BridgeRig(account: account, sinks: [try RecordingSink()], in: folder)
    try keychain.wait(for: .linked)
    // The keychain knows first that it is linked.
    try rig.journal.wait("its key is missed") { rig.bridge.status.concerns.contains(.noKey) }
    #expect(rig.bridge.status.devices.first?.isPaired == false)
    let waiting = try Waiting<PairingRefusal?>()
    rig.bridge.pair(.bench(1), by: label, pin: "2468", by: "console") { waiting.put($0) }
    #expect(try waiting.get() == nil)
    _ = try keychain.press()
    try rig.journal.waitForLight(.accepted)
    let device = rig.bridge.status.devices.first
    #expect(device?.isPaired == true && device?.isProved == true)
    #expect(!rig.bridge.status.concerns.contains(.noKey))
    #expect(rig.bridge.status.incident?.presses.map(\.isProved) == [true])
    let entries = try rig.store.log(after: 0, limit: 1_000)
    let told = try #require(entries.first { $0.name == "keychainPaired" })
    #expect(told.who == "console" && told.facts?.json.contains("byLabel") == true)
    let code = label.text
    #expect(!entries.contains { "\($0)".contains(code) || "\($0)".contains(label.scanned) })
  }
}
