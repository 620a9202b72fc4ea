import ArgumentParser
import Foundation
import Glibc
import SerialIO
import Synchronization

/// Where a run keeps its state.
enum StateFolder {
  /// `$XDG_STATE_HOME/fob/NAME`, by default below `~/.local/state`.
  static func standard(_ name: String) throws(Failure) -> String {
    let environment = ProcessInfo.processInfo.environment
    let home = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    guard let base = home("XDG_STATE_HOME") ?? home("HOME").map({ $0 + "/.local/state" }) else {
      throw Failure(
        .cannotOpen,
        "neither XDG_STATE_HOME nor HOME says where the state is to stand: set one of them, or name"
          + " a folder with --state")
    }
    return "\(base)/fob/\(name)"
  }

  /// What systemd gives to a service with StateDirectory=; the first, where there are several. That
  /// of a dynamic user is reached by a link.
  static var ofService: String? {
    ProcessInfo.processInfo.environment["STATE_DIRECTORY"]
      .flatMap { $0.split(separator: ":").first }
      .map { URL(filePath: String($0)).resolvingSymlinksInPath().path }
  }

  /// Those that are there now; see ``removeTemporary()``.
  private static let temporaries = Mutex<Set<String>>([])

  /// A fresh folder of this process alone; ``remove(_:)`` ends it.
  static func temporary() throws(Failure) -> String {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/fob-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .cannotOpen,
        "cannot make a folder in \(base): \(String(cString: strerror(errno)));"
          + " name another with TMPDIR or --state")
    }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    temporaries.withLock { _ = $0.insert(path) }
    return path
  }

  static func remove(_ path: String) {
    temporaries.withLock { _ = $0.remove(path) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes every temporary folder, while other threads may still write to it.
  static func removeTemporary() {
    for path in temporaries.withLock({ $0 }) {
      for _ in 0..<50 where FileManager.default.fileExists(atPath: path) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }

  /// Makes it, where it is missing.
  /// - Throws: where it is not this user's alone.
  static func make(_ path: String) throws(Failure) {
    do {
      try PrivateFolder.make(path)
    } catch {
      throw Failure(.cannotOpen, "\(error); --state names another")
    }
  }
}

/// The state folder of a core, for commands that work beside it and without it.
struct CoreFolder: ParsableArguments {
  @Option(
    help: "State folder. (default: $STATE_DIRECTORY, else $XDG_STATE_HOME/fob/core)",
    completion: .directory)
  var state: String?

  func path() throws(Failure) -> String {
    let given = state ?? StateFolder.ofService
    return if let given { given } else { try StateFolder.standard("core") }
  }
}

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
