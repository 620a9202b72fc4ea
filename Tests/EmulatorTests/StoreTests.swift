import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

@Suite struct StoreTests {
  @Test func `a second emulator on the same store sends again what nobody acked on a real pty`()
    throws
  {
    let directory = try ScratchDirectory()
    let first = try Rig(in: directory, storeName: "store")
    let number = try first.press()
    #expect(first.keychain.stop())
    let second = try Rig(in: directory, storeName: "store")
    let host = try TestHost(second.keychain.linkPath, acks: true)
    let record = try host.event(number)
    #expect(record.flags.contains(.replayed))
    #expect(try host.linked().bootCounter == 2)
    try second.wait(for: .acked(number))
    second.keychain.stop()
    let third = try Rig(in: directory, storeName: "store")
    #expect(try third.press().boot == 3)
    #expect(third.events.all.allSatisfy { $0.eventNumber != number }, "acked is forgotten")
  }

  @Test func `a press that the store refuses is sent as volatile on a real pty`() throws {
    let rig = try Rig()
    let host = try TestHost(rig.keychain.linkPath, acks: false)
    #expect(try rig.keychain.perform(.failStore(true)) == .done)
    let record = try host.event(try rig.press())
    #expect(record.flags.contains(.volatile))
    _ = try rig.events.first("the failure") { $0.name == .storeFailed }
    #expect(try rig.keychain.perform(.failStore(false)) == .done)
    let healed = try rig.press()
    #expect(try !host.event(healed).flags.contains(.volatile))
  }

  @Test func `a store in use, of another size or in no folder is refused`() throws {
    let directory = try ScratchDirectory()
    let first = try Rig(in: directory, storeName: "store")
    #expect(errno(of: "\(directory.path)/store") == EBUSY)
    first.keychain.stop()
    try Data(repeating: 7, count: 100).write(to: URL(filePath: "\(directory.path)/letter"))
    #expect(errno(of: "\(directory.path)/letter") == EINVAL)
    #expect(try Data(contentsOf: URL(filePath: "\(directory.path)/letter")).count == 100)
    #expect(errno(of: "\(directory.path)/nowhere/store") == ENOENT)
  }

  private func errno(of path: String) -> Int32? {
    #expect(throws: IOFailure.self) {
      try EmulatedKeychain(EmulatorConfiguration(linkPath: "\(path).link", storePath: path)).start()
    }?.errno
  }
}
