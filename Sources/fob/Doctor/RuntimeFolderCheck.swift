import Foundation
import Glibc

/// Where control sockets stand.
struct RuntimeFolderCheck {
  let path: String
  /// Nil where it is not there yet.
  let owner: UInt32?
  let mode: UInt32?
  /// Who would use it.
  let user: UInt32
  /// Where it is not there: whether it can be made.
  let mayMake: Bool

  /// Of a Unix socket (unix(7)), without the zero at its end.
  static let maxSocketPathSize = 107

  init(path: String = RuntimeFolder.path) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    self.path = path
    owner = attributes?[.ownerAccountID] as? UInt32
    mode = attributes?[.posixPermissions] as? UInt32
    user = geteuid()
    var parent = (path as NSString).deletingLastPathComponent
    while parent.count > 1, !FileManager.default.fileExists(atPath: parent) {
      parent = (parent as NSString).deletingLastPathComponent
    }
    mayMake = access(parent, W_OK | X_OK) == 0
  }

  init(path: String, owner: UInt32?, mode: UInt32?, user: UInt32, mayMake: Bool) {
    self.path = path
    self.owner = owner
    self.mode = mode
    self.user = user
    self.mayMake = mayMake
  }

  var findings: [Finding] { [finding] }

  private var finding: Finding {
    let longest = path + "/keychain.sock"
    guard longest.utf8.count <= Self.maxSocketPathSize else {
      return .error(
        "runtime", "\(path) is too long for a socket's name", "set XDG_RUNTIME_DIR to a shorter one"
      )
    }
    guard let owner, let mode else {
      return mayMake
        ? .ok("runtime", "\(path) will be made")
        : .error("runtime", "\(path) cannot be made", "set XDG_RUNTIME_DIR to a folder of yours")
    }
    guard owner == user else {
      return .error(
        "runtime", "\(path) belongs to user \(owner)", "set XDG_RUNTIME_DIR to a folder of yours")
    }
    guard mode & 0o077 == 0 else {
      return .warning(
        "runtime", "\(path) is open to others: they may ask bridges and keychains",
        "chmod 700 \(path)")
    }
    return .ok("runtime", path)
  }
}
