// Beside Console, the compiler looks for some C structs in Dispatch's headers.
import CDispatch
import Foundation
import Glibc
import SerialIO

/// The folder of the state, or the nearest that is there where a bridge has not made it yet: how
/// fast it makes things durable, and how much it takes.
struct StateFolderCheck {
  /// A press is accepted, and its light says so, when it is durable; people are told then, or after
  /// 100 ms. A median above this, in microseconds, is most of the time from press to light.
  static let slow: Int64 = 20_000
  /// From here on people are told before what they are told of is durable.
  static let tooSlow: Int64 = 100_000
  /// Bytes. An incident takes a few kilobytes; SQLite's log grows to some megabytes before it is
  /// folded in.
  static let littleSpace: UInt64 = 256 << 20
  static let noSpace: UInt64 = 16 << 20

  let path: String
  /// Microseconds; nil with the reason where it could not be measured.
  let flush: Result<FlushTimes, IOFailure>
  let fileSystem: String?
  let freeBytes: UInt64?

  init(_ bench: BenchRoot, state: String) {
    var folder = state
    while folder.count > 1, !FileManager.default.fileExists(atPath: folder) {
      folder = (folder as NSString).deletingLastPathComponent
    }
    path = folder
    flush = Result { () throws(IOFailure) in try FlushTimes(in: folder) }
    fileSystem = Self.fileSystem(of: folder, in: bench.text("/proc/self/mountinfo") ?? "")
    var space = statvfs()
    freeBytes =
      statvfs(folder, &space) == 0 ? UInt64(space.f_bavail) * UInt64(space.f_frsize) : nil
  }

  init(
    path: String, flush: Result<FlushTimes, IOFailure>, fileSystem: String?, freeBytes: UInt64?
  ) {
    self.path = path
    self.flush = flush
    self.fileSystem = fileSystem
    self.freeBytes = freeBytes
  }

  var findings: [Finding] { [disk, space] }

  private var disk: Finding {
    switch flush {
    case .failure(let failure):
      return .error(
        "disk", "\(failure): no press becomes durable there",
        "give it to the user who runs the bridge, or name another with --state")
    case .success(let times):
      let words =
        "\(path): a page is durable in \(Self.text(times.median)) ms (median of"
        + " \(times.sorted.count), longest \(Self.text(times.longest)))"
      if fileSystem == "tmpfs" || fileSystem == "ramfs" {
        return .warning(
          "disk", "\(path) is in memory (\(fileSystem ?? "")): what it has is lost with the power",
          "name a folder on a disk with --state")
      }
      if times.median > Self.tooSlow {
        return .error(
          "disk", "\(words): people are told before an alarm is durable",
          "keep the state on an SSD of this machine; no network folder, no SD card")
      }
      guard times.median > Self.slow else { return .ok("disk", words) }
      return .warning(
        "disk", "\(words): the keychain's light waits for it at each press",
        "an SSD of this machine takes below \(Self.slow / 1_000) ms")
    }
  }

  private var space: Finding {
    guard let freeBytes else { return .ok("space", "unknown") }
    let words = "\(freeBytes >> 20) MiB free in \(path)"
    let hint = "make room: a full disk keeps no press"
    if freeBytes < Self.noSpace { return .error("space", words, hint) }
    return freeBytes < Self.littleSpace
      ? .warning("space", words, hint) : .ok("space", words)
  }

  /// Milliseconds with two digits behind the point.
  private static func text(_ microseconds: Int64) -> String {
    let hundredths = (microseconds + 5) / 10
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// The type of the mount that the folder is on: the longest that leads to it, of equal ones the
  /// last (proc_pid_mountinfo(5)).
  static func fileSystem(of folder: String, in mounts: String) -> String? {
    var best: (length: Int, type: String)?
    for line in mounts.split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: " ")
      guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
      else { continue }
      let point = fields[4].replacing("\\040", with: " ")
      guard point == "/" || folder == point || folder.hasPrefix(point + "/") else { continue }
      if point.count >= best?.length ?? 0 { best = (point.count, String(fields[dash + 1])) }
    }
    return best?.type
  }
}
