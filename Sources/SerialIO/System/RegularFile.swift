import Glibc

/// Regular files in places where anything may stand, such as a drive that was plugged in. What is
/// none is not opened: a pipe makes its reader wait, and opening a serial port resets a board.
public enum RegularFile {
  /// Reads a whole file.
  /// - Parameters:
  ///   - path: symbolic links are followed.
  ///   - longest: the most bytes that it may have.
  /// - Throws: `IOFailure`: EINVAL for what is no regular file, EFBIG for a longer one, or why it
  ///   cannot be read.
  public static func read(_ path: String, longest: Int) throws(IOFailure) -> [UInt8] {
    var status = stat()
    try Syscall.run("examine", path) { stat(path, &status) }
    try refuseOthers(status, "read", path)
    let file = try Syscall.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    // It may be another one by now.
    try refuseOthers(try file.status(), "read", path)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(longest + 1, 65_536))
    while true {
      let number = file.number
      let count = try Syscall.run("read", path) { Glibc.read(number, &piece, piece.count) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= longest else {
        throw IOFailure(
          "read", errno: EFBIG, path: path, reason: "it has more than \(longest) bytes")
      }
    }
  }

  /// Makes a file that is missing, or empties it. A symbolic link is not followed.
  /// - Throws: `IOFailure`: EINVAL for what is no regular file, ELOOP for a symbolic link, or why
  ///   it cannot be opened.
  public static func create(_ path: String) throws(IOFailure) -> OwnedDescriptor {
    var status = stat()
    // Where nothing is, open(2) makes it, or says why not.
    if stat(path, &status) == 0 { try refuseOthers(status, "write", path) }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK
    let file = try Syscall.open(path, flags, mode: 0o644)
    try refuseOthers(try file.status(), "write", path)
    return file
  }

  private static func refuseOthers(
    _ status: stat, _ operation: String, _ path: String
  ) throws(IOFailure) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw IOFailure(operation, errno: EINVAL, path: path, reason: "it is no regular file")
    }
  }
}
