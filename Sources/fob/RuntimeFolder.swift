import Foundation
import Glibc

/// Where sockets and links of running processes stand by default.
enum RuntimeFolder {
  /// `$XDG_RUNTIME_DIR/fob`, else a folder below `/tmp` that belongs to this user alone.
  static var path: String {
    let base = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
    return base.flatMap { $0.hasPrefix("/") ? $0 + "/fob" : nil } ?? "/tmp/fob-\(getuid())"
  }

  static var keychainSocket: String { path + "/keychain.sock" }
  static var bridgeSocket: String { path + "/bridge.sock" }
  static var coreSocket: String { path + "/core.sock" }
  static var keychainLink: String { path + "/keychain" }

  static func make() throws(Failure) { try StateFolder.make(path) }
}
