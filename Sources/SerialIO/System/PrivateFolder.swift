import Glibc

/// A folder that only its owner can reach, and that nobody else can replace by another.
public enum PrivateFolder {
  /// Makes the folder, mode 0700, and the missing folders above it.
  /// - Throws: `IOFailure` with EPERM and a hint where others may enter it, or write to the folder
  ///   that it lies in.
  public static func make(_ path: String) throws(IOFailure) {
    let path = plain(path)
    var at = path.startIndex
    while let slash = path[at...].dropFirst().firstIndex(of: "/") {
      at = slash
      if mkdir(String(path[..<slash]), 0o700) != 0, ![EEXIST, EROFS, EACCES].contains(errno) {
        throw IOFailure("make", errno: errno, path: String(path[..<slash]))
      }
    }
    let (parent, name) = split(path)
    let above = try openParent(parent, of: path)
    let number = above.number
    if mkdirat(number, name, 0o700) != 0, errno != EEXIST {
      throw IOFailure("make", errno: errno, path: path)
    }
    try check(name, in: above, path)
  }

  /// Checks a folder that exists already.
  /// - Throws: as `make`; ENOENT where it is missing.
  public static func check(_ path: String) throws(IOFailure) {
    let path = plain(path)
    let (parent, name) = split(path)
    let above = try openParent(parent, of: path)
    try check(name, in: above, path)
  }

  /// open(2)'s O_PATH, which the Glibc module does not show: the descriptor serves for looking
  /// only.
  private static let toLookAt: Int32 = 0o10_000_000

  private static func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let name = path[path.index(after: slash)...]
    return (
      slash == path.startIndex ? "/" : String(path[..<slash]), name.isEmpty ? "." : String(name)
    )
  }

  /// Opens and checks the parent folder. The folder is then made or found by this descriptor, so
  /// nobody can swap the parent in between.
  private static func openParent(
    _ parent: String, of path: String
  ) throws(IOFailure) -> OwnedDescriptor {
    let folder = try Syscall.open(parent, toLookAt | O_DIRECTORY)
    let status = try folder.status()
    let isOurs = status.st_uid == geteuid() || status.st_uid == 0
    guard status.st_mode & S_ISVTX != 0 || (isOurs && status.st_mode & 0o002 == 0) else {
      throw IOFailure(
        "use", errno: EPERM, path: path,
        reason: "user \(status.st_uid) or others can put another folder in its place: they may"
          + " write to \(parent); chmod o-w \(parent) if it is yours, or name another folder")
    }
    return folder
  }

  private static func check(
    _ name: String, in above: borrowing OwnedDescriptor, _ path: String
  ) throws(IOFailure) {
    let number = above.number
    var status = stat()
    try Syscall.run("open", path) { fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) }
    if status.st_mode & S_IFMT == S_IFLNK {
      throw refusal(path, "it is a link; name the folder that it leads to")
    }
    let opened = try Syscall.run("open", path) {
      openat(number, name, toLookAt | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    let folder = OwnedDescriptor(owning: opened, path: path)
    status = try folder.status()
    guard status.st_uid == geteuid() else {
      throw refusal(
        path,
        "it belongs to user \(status.st_uid), this is user \(geteuid());"
          + " remove it, or name another folder")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw refusal(path, "others may open it; chmod 700 \(path)")
    }
  }

  private static func refusal(_ path: String, _ reason: String) -> IOFailure {
    IOFailure("use", errno: EPERM, path: path, reason: reason)
  }

  /// The path without slashes at its end.
  private static func plain(_ path: String) -> String {
    var path = Substring(path)
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}
