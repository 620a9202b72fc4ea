import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// A keychain, a bridge and a core on one host as they stand on two: processes, HTTP between the
/// last two, and each may die.
final class RemoteRig {
  let scratch: ScratchDirectory
  private(set) var core: RunningFob!
  private(set) var bridge: RunningFob!
  private(set) var toCore: Talk!
  let toKeychain: Talk
  private let keychain: RunningFob
  let port: UInt16
  private let coreOptions: [String]
  private let bridgeOptions: [String]
  private let scheme: String
  private let descriptors: Int?
  let tokenFile: String

  /// - Parameters:
  ///   - bridgeOptions: SCRATCH in them is the rig's folder, as in `config`.
  ///   - config: the core's notification channels.
  ///   - descriptors: the most that the core may have; nil: as this process.
  ///   - isLabelled: the keychain has its key from the factory; its label is the file `label`.
  init(
    tls: Bool = false, bridgeOptions: [String] = [], config: String? = nil,
    descriptors: Int? = nil, isLabelled: Bool = false
  ) throws {
    self.descriptors = descriptors
    scratch = try ScratchDirectory()
    port = try Self.freePort()
    scheme = tls ? "https" : "http"
    tokenFile = scratch.path("token")
    if tls { try Self.makeCertificate(in: scratch) }
    var coreOptions =
      tls ? ["--tls-cert", scratch.path("cert.pem"), "--tls-key", scratch.path("key.pem")] : []
    if let config {
      try Self.write(config.replacing("SCRATCH", with: scratch.path), to: scratch.path("core.yaml"))
      coreOptions += ["--config", scratch.path("core.yaml")]
    }
    self.coreOptions = coreOptions
    self.bridgeOptions = bridgeOptions
    let label = scratch.path("label")
    if isLabelled {
      let fob = try RunningFob(
        ["keys", "label", "--new", "8000000000000001", label], in: scratch, awaitsReady: false)
      try #require(fob.awaitEnd() == 0, "\(fob.output)")
    }
    keychain = try RunningFob(
      [
        "emulate", "--link", scratch.path("keychain"), "--control", scratch.path("keychain.sock"),
        "--store", scratch.path("keychain.store"),
      ] + (isLabelled ? ["--key", label] : []), in: scratch)
    toKeychain = try Talk(scratch.path("keychain.sock"))
    try startCore()
    try Self.makeToken(in: scratch)
    try startBridge()
  }

  func startCore() throws {
    core = try RunningFob(
      [
        "core", "--bench", "--state", scratch.path("state"), "--control",
        scratch.path("core.sock"), "--log", scratch.path("alerts.jsonl"), "--listen",
        "127.0.0.1:\(port)",
      ] + coreOptions, in: scratch, pin: "4711",
      through: descriptors.map { ["/usr/bin/prlimit", "--nofile=\($0)"] } ?? [])
    toCore = try Talk(scratch.path("core.sock"))
  }

  func startBridge() throws {
    bridge = try RunningFob(
      [
        "bridge", "--device", "pty:" + scratch.path("keychain"), "--core",
        "\(scheme)://127.0.0.1:\(port)", "--token-file", tokenFile,
      ] + bridgeOptions.map { $0.replacing("SCRATCH", with: scratch.path) }, in: scratch)
  }

  /// Makes a token of scope feed for the core whose state is in this folder, and writes it.
  static func makeToken(in scratch: ScratchDirectory) throws {
    let fob = try RunningFob(
      [
        "token", "create", "--scope", "feed", "--name", "bridge", "--state",
        scratch.path("state"),
      ],
      in: scratch, awaitsReady: false)
    try #require(fob.awaitEnd() == 0, "\(fob.output)")
    let token = try #require(fob.output.split(whereSeparator: \.isWhitespace).last)
    try write(String(token), to: scratch.path("token"))
  }

  static func write(_ token: String, to path: String) throws {
    try Data((token + "\n").utf8).write(to: URL(fileURLWithPath: path))
    try #require(chmod(path, 0o600) == 0)
  }

  /// A port that was free a moment ago.
  static func freePort() throws -> UInt16 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    try #require(isBound)
    return UInt16(bigEndian: address.sin_port)
  }

  private static func makeCertificate(in scratch: ScratchDirectory) throws {
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    openssl.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-days", "2", "-subj", "/CN=core.example.org", "-addext",
      "subjectAltName=IP:127.0.0.1", "-keyout", scratch.path("key.pem"), "-out",
      scratch.path("cert.pem"),
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    try #require(openssl.terminationStatus == 0, "openssl failed; install Debian's package openssl")
  }

  // MARK: What is seen

  /// By HTTP, with the administrator's token.
  func asking() throws -> Asking { try Asking(core, state: scratch.path("state")) }

  /// How many incidents contacts were told of.
  func incidentsTold() throws -> Int {
    let text = (try? String(contentsOfFile: scratch.path("alerts.jsonl"), encoding: .utf8)) ?? ""
    // A reader may see the front of a line that is just being written.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return Set(
      try lines.map { line in
        let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(row?["incident"] as? String)
      }
    ).count
  }

  /// When a message was last written, in microseconds since 1970: the file's own time, which does
  /// not wait for a reader that is kept from a processor.
  func lastTold() throws -> Int64 {
    let found = try FileManager.default.attributesOfItem(atPath: scratch.path("alerts.jsonl"))
    let written = try #require(found[.modificationDate] as? Date)
    return Int64(written.timeIntervalSince1970 * 1_000_000)
  }

  func press() throws -> String {
    try #require(try toKeychain.must(["do": "press"])["event"] as? String)
  }

  func awaitAck(_ event: String) throws {
    try toKeychain.must(["do": "wait", "for": "acked", "event": event])
  }

  func awaitShown(_ words: String, within patience: Interval = .seconds(20)) throws {
    try expect(within: patience, "the light to say \(words)") {
      try toKeychain.must(["do": "state"])["shown"] as? String == words
    }
  }

  func expect(
    within patience: Interval = .seconds(20), _ words: String, _ isSo: () throws -> Bool
  ) throws {
    let deadline = BootClock.now() + patience
    while try !isSo() {
      try #require(
        BootClock.now() < deadline, "in vain for \(words): \(core.output)\n\(bridge.output)")
      usleep(5_000)
    }
  }

  /// Every press that the core has, in order.
  func presses() throws -> [String] {
    try #require(try toCore.must(["do": "presses"])["rows"] as? [[String: Any]]).map {
      try #require($0["event"] as? String)
    }
  }

  func links() throws -> Int {
    let status = try toCore.must(["do": "status"])["status"] as? [String: Any]
    return try #require(status?["links"] as? [Any]).count
  }
}
