import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

@testable import fob

/// The checks that ask the system itself, on what they might hear.
@Suite struct SystemCheckTests {
  @Test(
    arguments: [
      (true, 0, "tsc", [.ok, .ok, .ok]), (false, 0, "tsc", [.warning, .ok, .ok]),
      (nil, 0, nil, [.warning, .ok, .ok]), (true, 3_600, "tsc", [.ok, .warning, .ok]),
      (true, 1, "hpet", [.ok, .ok, .warning]), (true, 0, "arch_sys_counter", [.ok, .ok, .ok]),
    ] as [(Bool?, Int, String?, [Finding.Level])])
  func `a clock that is wrong, that slept or that is slow is said`(
    isKept: Bool?, suspended: Int, source: String?, levels: [Finding.Level]
  ) {
    let check = ClockCheck(isKept: isKept, suspendedSeconds: suspended, source: source)
    #expect(check.findings.map(\.level) == levels)
  }

  @Test func `this machine's clocks are read`() throws {
    let check = ClockCheck(BenchRoot(root: ""))
    #expect((0...1 << 40).contains(check.suspendedSeconds))
    #expect(check.findings.count == 3)
  }

  @Test(
    arguments: [
      (900, "ext4", .ok, "0.90 ms"), (20_000, "ext4", .ok, "20.00 ms"),
      (20_010, "ext4", .warning, "light waits"), (100_000, "nfs4", .warning, "100.00 ms"),
      (100_010, "nfs4", .error, "before an alarm is durable"),
      (100, "tmpfs", .warning, "is in memory (tmpfs)"),
    ] as [(Int64, String, Finding.Level, String)])
  func `a disk is judged by the median of its flushes`(
    microseconds: Int64, fileSystem: String, level: Finding.Level, words: String
  ) {
    let times = FlushTimes(microseconds: [1, microseconds, 5_000_000])
    let disk = StateFolderCheck(
      path: "/state", flush: .success(times), fileSystem: fileSystem, freeBytes: 1 << 40
    ).findings[0]
    #expect(disk.level == level && disk.line.contains(words), "\(disk.line)")
  }

  @Test(
    arguments: [
      (UInt64(15) << 20, .error), (16 << 20, .warning), (255 << 20, .warning), (256 << 20, .ok),
    ] as [(UInt64, Finding.Level)])
  func `a disk that is almost full is said`(bytes: UInt64, level: Finding.Level) {
    let space = StateFolderCheck(
      path: "/state", flush: .success(FlushTimes(microseconds: [1])), fileSystem: nil,
      freeBytes: bytes
    ).findings[1]
    #expect(space.level == level, "\(space.line)")
  }

  @Test func `a folder that is not there yet is judged by the one above it, which stays empty`()
    throws
  {
    let scratch = try ScratchDirectory()
    let check = StateFolderCheck(BenchRoot(root: ""), state: scratch.path("a/b/c"))
    #expect(check.path == scratch.path)
    let times = try check.flush.get()
    #expect(times.sorted.count == 15 && times.longest > 0 && times.median <= times.longest)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    #expect(check.fileSystem?.isEmpty == false && (check.freeBytes ?? 0) > 0)
  }

  @Test func `a folder in which no file can be made is an error with its name`() {
    let check = StateFolderCheck(BenchRoot(root: ""), state: "/proc/fob")
    #expect(check.findings[0].level == .error && check.findings[0].text.contains("/proc"))
  }

  @Test(arguments: [
    ("/", "ext4"), ("/srv", "ext4"), ("/srv/data/x", "xfs"), ("/srv/database", "ext4"),
    ("/tmp", "tmpfs"), ("/a b/c", "vfat"),
  ])
  func `the file system is that of the longest mount, the last of equal ones`(
    folder: String, type: String
  ) {
    let mounts = """
      1 0 8:1 / / rw - ext4 /dev/sda1 rw
      2 1 8:2 / /srv/data rw,noatime shared:1 - xfs /dev/sdb rw
      3 1 8:3 / /tmp rw - ext4 /dev/sdc rw
      4 1 0:5 / /tmp rw - tmpfs tmpfs rw
      5 1 0:6 / /a\\040b rw - vfat /dev/sdd rw
      a line of another kind
      """
    #expect(StateFolderCheck.fileSystem(of: folder, in: mounts) == type)
  }

  @Test(
    arguments: [
      ("/run/user/1000/fob", 1_000, 0o700, true, .ok),
      ("/run/user/1000/fob", 1_000, 0o755, true, .warning),
      ("/run/user/1000/fob", 0, 0o700, true, .error),
      ("/run/user/1000/fob", nil, nil, true, .ok), ("/run/user/1000/fob", nil, nil, false, .error),
      ("/" + String(repeating: "r", count: 93), nil, nil, true, .error),
      ("/" + String(repeating: "r", count: 92), nil, nil, true, .ok),
    ] as [(String, UInt32?, UInt32?, Bool, Finding.Level)])
  func `a runtime folder of another, open to others or too long is said`(
    path: String, owner: UInt32?, mode: UInt32?, mayMake: Bool, level: Finding.Level
  ) {
    let check = RuntimeFolderCheck(
      path: path, owner: owner, mode: mode, user: 1_000, mayMake: mayMake)
    #expect(check.findings.map(\.level) == [level], "\(check.findings)")
  }

  @Test func `the runtime folder itself is looked at`() throws {
    let scratch = try ScratchDirectory()
    let there = RuntimeFolderCheck(path: scratch.path)
    #expect(there.owner == geteuid() && there.mode == 0o700)
    #expect(RuntimeFolderCheck(path: scratch.path("fob")).mayMake)
  }
}
