import Foundation
import Glibc
import SerialIO

/// Where sockets and links of running processes stand by default.
enum RuntimeFolder {
  /// `$XDG_RUNTIME_DIR/fob`, else a folder below `/tmp` that belongs to this user alone.
  static var path: String {
    let base = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
    return base.flatMap { $0.hasPrefix("/") ? $0 + "/fob" : nil } ?? "/tmp/fob-\(geteuid())"
  }

  static var keychainSocket: String { path + "/keychain.sock" }
  static var bridgeSocket: String { path + "/bridge.sock" }
  static var coreSocket: String { path + "/core.sock" }
  static var keychainLink: String { path + "/keychain" }

  static func make() throws(Failure) {
    do {
      try PrivateFolder.make(path)
    } catch {
      throw Failure(.cannotOpen, "\(error); XDG_RUNTIME_DIR leads to another")
    }
  }

  /// Before anybody is asked there, who may be told a PIN.
  /// - Throws: where it is somebody else's; ENOENT where it is not there.
  static func check() throws(IOFailure) { try PrivateFolder.check(path) }
}
