import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// The file behind a micro:bit's flash: two copies, of which the newest that verifies counts.
struct FlashFileTests {
  private static let copySize = 36_864
  private let scratch: ScratchDirectory
  private let file: URL

  init() throws {
    scratch = try ScratchDirectory()
    file = URL(filePath: scratch.path("flash"))
  }

  /// Of a flash that was written twice.
  private func written() throws -> Data {
    let flash = try FlashFile(path: file.path)
    for _ in 0..<2 { try flash.provision(PairingKey(low: 1, high: 2)) }
    return try Data(contentsOf: file)
  }

  @Test(arguments: [0, 1]) func `one damaged copy is made up for by the other`(_ copy: Int) throws {
    var bytes = try written()
    bytes[copy * Self.copySize + 500] ^= 1
    try bytes.write(to: file)
    _ = try FlashFile(path: file.path)
  }

  @Test func `two damaged copies are refused, and no keychain begins anew in their place`() throws {
    var bytes = try written()
    for copy in 0..<2 { bytes[copy * Self.copySize + 500] ^= 1 }
    try bytes.write(to: file)
    let refusal = #expect(throws: IOFailure.self) { try FlashFile(path: file.path) }
    #expect(refusal?.errno == EINVAL)
    #expect(refusal?.description.contains("both copies of the flash in it are damaged") == true)
    #expect(try Data(contentsOf: file) == bytes)
  }

  /// Nothing was told before it was whole.
  @Test func `a first write that a kill has left unfinished is none`() throws {
    var bytes = try written()
    bytes.resetBytes(in: 0..<Self.copySize)
    bytes.resetBytes(in: Self.copySize + 4_096..<2 * Self.copySize)
    try bytes.write(to: file)
    _ = try FlashFile(path: file.path)
  }
}
