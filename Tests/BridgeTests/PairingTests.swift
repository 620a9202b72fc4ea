import AlertCore
import Bridge
import Emulator
import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

/// Pairing through a bridge, with the real firmware on a real pty (PROTOCOL.md, 15).
@Suite final class PairingTests {
  private static let device = DeviceID.bench(1)
  private let folder: ScratchDirectory
  private let keychain: EmulatedKeychain
  private let bridgeRig: BridgeRig

  init() throws {
    folder = try ScratchDirectory()
    keychain = try EmulatedKeychain.started(in: folder)
    var account = BridgeRig.account
    account.devices = [Self.device.text]
    bridgeRig = try BridgeRig(account: account, sinks: [try RecordingSink()], in: folder)
    try keychain.wait(for: .linked)
  }

  deinit { keychain.stop() }

  private var keys: String {
    (try? String(contentsOfFile: folder.path("state/keys"), encoding: .utf8)) ?? ""
  }

  private func pair(pin: String? = BridgeRig.pin.description) throws -> PairingRefusal? {
    let waiting = try Waiting<PairingRefusal?>()
    bridgeRig.bridge.pair(Self.device, pin: pin, by: "test") { waiting.put($0) }
    return try waiting.get()
  }

  /// Power comes while the button is held; it is let go of when the key is there.
  private func paired() throws {
    _ = try keychain.perform(.stick)
    _ = try keychain.perform(.powerCut(.milliseconds(50)))
    try bridgeRig.journal.wait("a boot with the button held") { [keychain] in
      (try? keychain.state()).map { $0.boot == 2 && $0.linked } ?? false
    }
    try bridgeRig.journal.wait("the line knows who it is") { [bridgeRig] in
      bridgeRig.bridge.lines.contains { $0.device == Self.device.text }
    }
    #expect(try pair() == nil)
    _ = try keychain.perform(.unstick)
    #expect(keys.contains(Self.device.text))
  }

  private func change(_ change: AccountChange) throws -> UserCommand.Refusal? {
    try Waiting.answer {
      bridgeRig.bridge.change(change, pin: BridgeRig.pin.description, answer: $0)
    }.refusal
  }

  /// The key is gone at both ends: the keychain is believed, and believes, as before.
  private func waitUntilForgotten() throws {
    try bridgeRig.journal.wait("no key here") { !self.keys.contains(Self.device.text) }
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
    #expect(bridgeRig.journal.count(.pressUnproved) == 0)
  }

  @Test func `nobody pairs without the PIN, or without holding the button since power-on`() throws {
    for pin in [nil, "1357"] {
      guard case .refused = try pair(pin: pin) else {
        Issue.record("PIN \(pin ?? "none")")
        continue
      }
    }
    #expect(try pair() == .noPresence)
    #expect(!keys.contains(Self.device.text))
  }

  @Test func `a paired keychain's press is proved, acked and shown`() throws {
    try paired()
    let number = try keychain.press()
    try keychain.wait(for: .acked(number))
    try bridgeRig.journal.waitForLight(.accepted)
    #expect(bridgeRig.journal.count(.pressUnproved) == 0)
  }

  @Test func `R21: who disconnects a keychain takes its key from it`() throws {
    try paired()
    #expect(try change(.disconnect(Self.device)) == nil)
    try waitUntilForgotten()
  }

  @Test func `R86: who erases the account takes the keys from all keychains`() throws {
    try paired()
    #expect(try change(.erase) == nil)
    try waitUntilForgotten()
  }
}
