import AlertCore
import Emulator
import FobBase
import SerialIO
import Sinks
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import Bridge

/// An account that is made as a keychain links has its first press.
@Suite struct BeforeLinkTests {
  private let sink: RecordingSink
  private let rig: BridgeRig
  private let keychain: EmulatedKeychain

  init() throws {
    let (folder, sink) = (try ScratchDirectory(), try RecordingSink())
    rig = try BridgeRig([], sinks: [sink], in: folder)
    keychain = try EmulatedKeychain.started(in: folder, serial: 7)
    self.sink = sink
  }

  private static func owner(of keychain: String) -> Account {
    Account(
      name: "Owner 2",
      contacts: [Contact(id: "contact-1", name: "Contact 3", address: "contact-3@example.org")],
      devices: [keychain])
  }

  private func told(_ kind: Notification.Kind) -> Set<String> {
    Set(sink.taken.filter { $0.kind == kind }.map(\.contact.address))
  }

  @Test func `what was pressed before the first link is told to the new owner's contacts alone`()
    throws
  {
    let number = try keychain.press()
    makeOwnersBeforeLinks()
    let bridge = rig.bridge
    try bridge.add(DeviceSpec(pty: rig.path("keychain")))
    try keychain.wait(for: .acked(number))
    try rig.journal.wait("its owner's contact is told") { !told(.raise).isEmpty }
    let made = try #require(bridge.accounts.last)
    #expect(told(.raise) == ["contact-3@example.org"])
    #expect(try made.store.presses().map(\.event) == [number.text])
    #expect(try rig.store.presses().isEmpty && rig.store.incidents().isEmpty)
    try made.close()
    try rig.journal.wait("it is over") { !told(.closing).isEmpty }
    #expect(told(.closing) == ["contact-3@example.org"])
  }

  @Test func `a press that comes before its keychain's HELLO is told to them alone, too`() throws {
    makeOwnersBeforeLinks()
    let device = try RawDevice(in: rig.folder, named: "raw")
    try rig.bridge.add(DeviceSpec(pty: rig.path("raw")))
    try device.say(EventRecord.press(1))
    try rig.journal.wait("its owner's contact is told") { !told(.raise).isEmpty }
    #expect(told(.raise) == ["contact-3@example.org"])
    #expect(try rig.store.presses().isEmpty)
  }

  private func makeOwnersBeforeLinks() {
    let bridge = rig.bridge
    bridge.beforeLink { keychain in
      if bridge.account(withKeychain: keychain) === bridge {
        _ = try? bridge.add(Self.owner(of: keychain))
      }
    }
  }

  @Test func `where none can be made the press is the first account's`() throws {
    let number = try keychain.press()
    rig.bridge.beforeLink { _ in }
    try rig.bridge.add(DeviceSpec(pty: rig.path("keychain")))
    try keychain.wait(for: .acked(number))
    try rig.journal.wait("both contacts are told") { told(.raise).count == 2 }
    #expect(told(.raise) == ["contact-1@example.org", "contact-2@example.org"])
    #expect(try rig.store.presses().map(\.event) == [number.text])
  }
}

extension AlertBridge {
  fileprivate func close() throws {
    _ = try Waiting.answer { perform(.cancel, answer: $0) }
  }
}
