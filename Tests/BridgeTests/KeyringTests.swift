import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

@testable import Bridge

/// The file of a core's keys.
struct KeyringTests {
  private let folder: ScratchDirectory
  private let old = PairingKey(low: 1, high: 2)
  private let new = PairingKey(low: 3, high: 4)

  init() throws { folder = try ScratchDirectory() }

  private var keyring: Keyring { Keyring(folder: folder.path) }

  private var text: String? {
    try? String(contentsOfFile: folder.path("keys"), encoding: .utf8)
  }

  private static let device = "8000000000000001"
  private static let key = "0000000000000001 0000000000000002"
  private static let otherKey = "0000000000000003 0000000000000004"

  private func lines(_ keys: String...) -> String {
    (["fob keys 1"] + keys.map { "\(Self.device) \($0)" }).joined(separator: "\n") + "\n"
  }

  @Test func `a key that is offered is kept beside the one before, over a start`() throws {
    try keyring.keep(old, of: .bench(1))
    try keyring.offer(new, to: .bench(1))
    #expect(text == lines(Self.key, Self.otherKey + " offered"))
    let read = keyring.table
    #expect(read.keys[.bench(1)].map { $0 == old } == true)
    #expect(read.offered[.bench(1)].map { $0 == new } == true)
  }

  @Test(arguments: [false, true])
  func `once the keychain has proved one of them, the other is forgotten`(isTaken: Bool) throws {
    try keyring.keep(old, of: .bench(1))
    try keyring.offer(new, to: .bench(1))
    try keyring.settle(.bench(1), isTaken: isTaken)
    #expect(text == lines(isTaken ? Self.otherKey : Self.key))
  }

  @Test func `a key that was offered and is not proved pairs nobody`() throws {
    try keyring.offer(new, to: .bench(1))
    #expect(keyring.keys.isEmpty)
    try keyring.settle(.bench(1), isTaken: false)
    #expect(text == "fob keys 1\n")
  }

  @Test(arguments: [
    "", "fob keys 2\n", "fob keys 1\n\(device) 0000000000000001\n",
    "fob keys 1\n\(device) +000000000000001 0000000000000002\n",
    "fob keys 1\n\(device) \(key)\n\(device) \(otherKey)\n",
    "fob keys 1\n\(device) \(key) offered\n\(device) \(otherKey) offered\n",
    "fob keys 1\n\(device) \(key) paired\n",
  ])
  func `a file that says anything else is damaged, and is set aside before another is written`(
    _ text: String
  ) throws {
    try PrivateFile.write(Array(text.utf8), to: folder.path("keys"))
    let keyring = keyring
    #expect(keyring.damage?.hasSuffix("is damaged") == true)
    try keyring.keep(new, of: .bench(1))
    #expect(keyring.damage == nil && self.text == lines(Self.otherKey))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains { $0.hasPrefix("keys.damaged-") })
  }

  @Test func `what a killed core has left of a file that it was writing is taken away`() throws {
    try keyring.keep(old, of: .bench(1))
    for draft in ["keys.77.new", "other.77.new"] {
      try PrivateFile.write([1], to: folder.path(draft))
    }
    keyring.clearDrafts()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["keys", "other.77.new"])
  }

  @Test func `a pipe in its place keeps nobody waiting`() throws {
    try #require(mkfifo(folder.path("keys"), 0o600) == 0)
    #expect(keyring.damage?.contains("it is no regular file") == true)
  }

  @Test func `a file that cannot be put in its place leaves no draft with keys`() throws {
    try #require(mkdir(folder.path("keys"), 0o700) == 0)
    #expect(throws: IOFailure.self) {
      try PrivateFile.write(Array("fob keys 1\n".utf8), to: folder.path("keys"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keys"])
  }
}
