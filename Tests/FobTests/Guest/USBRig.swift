import ArgumentParser
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import USB

@testable import fob

/// Emulated keychains on a USB/IP server, which the guest's kernel imports, and a bridge at what
/// kernel and udev make of them: three processes, as a user runs them.
final class USBRig: BridgeRig {
  enum Way: String, CaseIterable {
    case tty
    case usb

    func spec(_ serial: String) -> String { "\(rawValue):\(USBGuest.spec):\(serial)" }
  }

  static let pin = "4711"
  /// `DeviceID.text` of a bench keychain with this number.
  static func serial(_ number: Int) -> String { "80000000" + String(format: "%08x", number) }

  let scratch: ScratchDirectory
  let serials: [String]
  private(set) var keychains: RunningFob!
  private(set) var toKeychains: Talk!
  private(set) var bridge: RunningFob!
  private var toBridge: Talk!
  var bridgeTalk: Talk { toBridge }
  private let devices: [String]

  private let user: String?
  private let kind: USBIdentity.Kind

  /// - Parameters:
  ///   - ways: how the bridge opens each keychain.
  ///   - user: whose process the bridge is.
  ///   - kind: of each keychain. With that of a micro:bit the bridge is told of no device.
  init(
    _ ways: [Way], as user: String? = nil, hasBridge: Bool = true,
    kind: USBIdentity.Kind = .keychain
  ) throws {
    scratch = try ScratchDirectory()
    self.user = user
    self.kind = kind
    chmod(scratch.path, 0o1777)
    serials = ways.indices.map { Self.serial($0 + 1) }
    devices =
      kind == .keychain ? zip(ways, serials).flatMap { ["--device", $0.spec($1)] } : []
    try startKeychains()
    if hasBridge { try startBridge(as: user) }
  }

  private var server: String { "unix:" + scratch.path("usbip.sock") }

  func storePath(_ serial: String) -> String {
    scratch.path("store-\((serials.firstIndex(of: serial) ?? 0) + 1)")
  }

  func startKeychains() throws {
    let store = serials.count == 1 ? "store-1" : "store-{n}"
    keychains = try RunningFob(
      [
        "emulate", "--usb", server, "--usb-identity", kind.rawValue, "--count", "\(serials.count)",
        "--control", scratch.path("keychain.sock"), "--store", scratch.path(store), "--no-gps",
      ], in: scratch)
    toKeychains = try Talk(scratch.path("keychain.sock"))
  }

  /// - Parameter user: each has a state folder of their own.
  func startBridge(as user: String? = nil) throws {
    bridge = try RunningFob(
      ["bridge"] + devices + [
        "--state", scratch.path("state-\(user ?? "root")"), "--control",
        scratch.path("bridge.sock"),
      ], in: scratch, pin: Self.pin, as: user)
    toBridge = try Talk(scratch.path("bridge.sock"))
  }

  /// Ends bridge and keychains, the bridge first, as a user would.
  func stop() {
    stopBridge()
    kill(keychains.pid, SIGTERM)
    #expect(keychains.awaitEnd(within: .seconds(5)) == 0, "\(keychains.output)")
  }

  func stopBridge() {
    guard let bridge else { return }
    kill(bridge.pid, SIGTERM)
    #expect(bridge.awaitEnd(within: .seconds(5)) == 0, "\(bridge.output)")
  }

  // MARK: The plug

  static func link(_ serial: String) -> String { "/dev/fob/" + serial }

  /// All of them, by `fob attach`.
  func plug() throws {
    let attach = try RunningFob(["attach", server, "--all"], in: scratch, awaitsReady: false)
    let code = attach.awaitEnd()
    try #require(code == 0, "fob attach: \(attach.output)")
  }

  /// One of them. The same command in this process: a guest takes half a second to start another.
  func plug(_ serial: String) throws {
    let attach = try AttachCommand.parse([server, "--device", serial])
    try attach.run()
  }

  /// What `fob identify` says of it, beside its line.
  func identify(_ serial: String) throws -> String {
    let identify = try RunningFob(
      ["identify", "usb:\(USBGuest.spec):\(serial)"], in: scratch, awaitsReady: false, as: user)
    let code = identify.awaitEnd()
    try #require(code == 0, "fob identify: \(identify.output)")
    return identify.output
  }

  /// Until udev has named it.
  func awaitNode(_ serial: String) throws {
    try USBGuest.await("\(Self.link(serial))") { access(Self.link(serial), F_OK) == 0 }
  }

  func awaitNoNode(_ serial: String) throws {
    try USBGuest.await("the end of \(Self.link(serial))") {
      access(Self.link(serial), F_OK) != 0
    }
  }

  // MARK: The core

  /// Event numbers of the presses that the core has of a keychain, oldest first.
  func presses(of serial: String) throws -> [String] {
    let rows = try #require(try bridgeTalk.must(["do": "presses"])["rows"] as? [[String: Any]])
    return try rows.filter { $0["device"] as? String == serial }.map {
      try #require($0["event"] as? String)
    }
  }

  // MARK: Keychains

  /// A question to one of the keychains.
  func addressed(_ question: [String: Any], _ serial: String) -> [String: Any] {
    guard serials.count > 1, let index = serials.firstIndex(of: serial) else { return question }
    return question.merging(["serial": index + 1]) { $1 }
  }

  @discardableResult
  func ask(_ question: [String: Any], of serial: String) throws -> [String: Any] {
    try toKeychains.must(addressed(question, serial))
  }

  func awaitLinked(_ serial: String) throws {
    try ask(["do": "wait", "for": "linked"], of: serial)
  }

  /// Presses, and waits until the core has it.
  @discardableResult
  func pressToAck(_ serial: String) throws -> String {
    let event = try #require(
      try ask(["do": "press", "hold_ms": 40], of: serial)["event"] as? String)
    try ask(["do": "wait", "for": "acked", "event": event], of: serial)
    return event
  }

  /// Until nothing is left in its store that the core has not committed.
  func awaitNothingUnacked(_ serial: String) throws {
    try USBGuest.await("an ack of all events of \(serial); \(bridge.output)") {
      try ask(["do": "state"], of: serial)["unacked"] as? Int == 0
    }
  }
}
