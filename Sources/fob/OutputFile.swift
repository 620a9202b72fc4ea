import Glibc
import SerialIO

/// What a command leaves for whoever asked for it, at a path or, as `-`, on standard output.
///
/// A path is made, or a regular file there is replaced: whole, or not at all. Whatever else stands
/// there stays as it is: a device, a pipe, a socket, a folder, a link.
struct OutputFile {
  private let path: String
  private let mode: mode_t

  static let standardOutput = "-"

  /// Looks before anything is done. With `-`, standard output carries the file alone from now on,
  /// and words for a person go to standard error.
  /// - Throws: `Failure` that names what is in the way.
  init(_ path: String, mode: mode_t = 0o644) throws(Failure) {
    self.path = path
    self.mode = mode
    if isStandardOutput { try Terminal.keepOutput() } else { try refuseOthers() }
  }

  /// It is `-`.
  var isStandardOutput: Bool { path == Self.standardOutput }

  /// The whole content.
  func write(_ text: String) throws { try write { put in try put(Array(text.utf8)) } }

  /// - Parameter body: is given what appends bytes. Where it throws, the path stays as it was.
  func write(_ body: (([UInt8]) throws -> Void) throws -> Void) throws {
    if isStandardOutput { return try body { try Self.write($0, STDOUT_FILENO, "standard output") } }
    let part = "\(path).\(String(UInt32.random(in: 0...UInt32.max), radix: 16)).part"
    do {
      // Who may not read the file that is replaced may not read the new one.
      var old = stat()
      let mode = lstat(path, &old) == 0 ? old.st_mode & 0o777 : mode
      let file = try Syscall.open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
      try body { try Self.write($0, file.number, path) }
      try Syscall.run("write", path) { fsync(file.number) }
      try refuseOthers()
      try Syscall.run("write", path) { rename(part, path) }
    } catch {
      unlink(part)
      throw error
    }
  }

  /// For what grows and is whole after each write: the file itself, emptied.
  func open() throws -> OwnedDescriptor {
    guard !isStandardOutput else {
      return OwnedDescriptor(
        owning: try Syscall.run("use", "standard output") { dup(STDOUT_FILENO) },
        path: "standard output")
    }
    let file = try openFile()
    let number = file.number
    var status = stat()
    try Syscall.run("examine", path) { fstat(number, &status) }
    try Self.refuse(status, path)
    try Syscall.run("write", path) { ftruncate(number, 0) }
    return file
  }

  /// What came there since the look waits for nobody.
  private func openFile() throws -> OwnedDescriptor {
    do throws(IOFailure) {
      return try Syscall.open(
        path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode: mode)
    } catch {
      try refuseOthers()
      throw error
    }
  }

  private func refuseOthers() throws(Failure) {
    var status = stat()
    if lstat(path, &status) == 0 { try Self.refuse(status, path) }
  }

  private static func refuse(_ status: stat, _ path: String) throws(Failure) {
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: kind = "a folder"
    case S_IFCHR, S_IFBLK: kind = "a device"
    case S_IFIFO: kind = "a pipe"
    case S_IFSOCK: kind = "a socket"
    case S_IFLNK: kind = "a link"
    default: kind = "no file"
    }
    throw Failure(
      .cannotOpen,
      "cannot write \(path): it is \(kind), which stays as it is; name a regular file, or - for"
        + " standard output")
  }

  private static func write(
    _ bytes: [UInt8], _ number: Int32, _ path: String
  ) throws(IOFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try Syscall.run("write", path) {
        rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }
}
