import Foundation
import Glibc

/// Where a run keeps its state.
enum StateFolder {
  /// `$XDG_STATE_HOME/fob/NAME`, by default below `~/.local/state`.
  static func standard(_ name: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    let base =
      environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? (environment["HOME"] ?? "/tmp") + "/.local/state"
    return "\(base)/fob/\(name)"
  }

  /// What systemd gives to a service with StateDirectory=; the first, where there are several.
  static var ofService: String? {
    ProcessInfo.processInfo.environment["STATE_DIRECTORY"]
      .flatMap { $0.split(separator: ":").first }.map(String.init)
  }

  /// A fresh folder of this process alone.
  static func temporary() throws(Failure) -> String {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/fob-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .cannotOpen,
        "cannot make a folder in \(base): \(String(cString: strerror(errno)));"
          + " name another with TMPDIR or --state")
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  static func make(_ path: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .cannotOpen, "cannot make the state folder \(path): \(error.localizedDescription)")
    }
  }
}
