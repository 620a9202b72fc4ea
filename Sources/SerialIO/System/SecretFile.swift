import CLinux
import Glibc

/// Files with secrets, which only their owner may read.
public enum SecretFile {
  /// Reads a file, or a credential of this service (systemd's LoadCredential=).
  /// - Parameters:
  ///   - place: a path, or the name of a file in $CREDENTIALS_DIRECTORY, without a slash.
  ///   - longest: the most bytes that it may have.
  ///   - isFile: it must be a regular file: nobody waits for what writes into a pipe.
  /// - Throws: `IOFailure`: EPERM with a hint where others may read it, EFBIG, or why it cannot be
  ///   opened.
  public static func read(_ place: String, longest: Int = 4_096, isFile: Bool = false)
    throws(IOFailure)
    -> SecretBytes
  {
    let path = path(of: place)
    let file = try Syscall.open(path, O_RDONLY | O_NOCTTY | (isFile ? O_NONBLOCK : 0))
    let status = try file.status()
    // A pipe is fine, too: a shell makes one for <(COMMAND).
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFIFO && !isFile else {
      throw IOFailure(
        "read", errno: EINVAL, path: path,
        reason: "it is \(isFile ? "no regular file" : "neither a regular file nor a pipe")")
    }
    guard isPrivate(status, path) else {
      throw IOFailure(
        "use", errno: EPERM, path: path,
        reason: "it can be read by others; chmod 600 \(path), as its owner")
    }
    var bytes = SecretBytes(capacity: longest + 1)
    guard try bytes.fill(from: file.number, path: path) else {
      throw IOFailure("read", errno: EFBIG, path: path)
    }
    return bytes
  }

  /// Whether only its owner may read an open file, and the owner is us or root. False where it
  /// cannot be examined.
  public static func isPrivate(_ descriptor: Int32, _ path: String) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && isPrivate(status, path)
  }

  private static func isPrivate(_ status: stat, _ path: String) -> Bool {
    // systemd hands a credential to its service by an access list, which shows as the group's.
    let isCredential = folder.map { path.hasPrefix($0 + "/") } ?? false
    let isOurs = status.st_uid == geteuid() || status.st_uid == 0
    return isOurs && status.st_mode & (isCredential ? 0o007 : 0o077) == 0
  }

  /// The path that a credential's name leads to; any other `place` as it is.
  public static func path(of place: String) -> String {
    guard !place.contains("/"), let folder else { return place }
    let path = "\(folder)/\(place)"
    return access(path, F_OK) == 0 ? path : place
  }

  private static var folder: String? {
    getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
  }
}

/// Bytes that are overwritten when they are let go of. Strings made of them are not: Swift copies
/// those as it likes, so their holder keeps them short-lived.
public struct SecretBytes: ~Copyable {
  private let room: UnsafeMutableRawBufferPointer
  /// Bytes.
  public private(set) var count = 0

  /// - Parameter capacity: the most bytes that it can hold.
  public init(capacity: Int) {
    room = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit {
    clinux_wipe(room.baseAddress, room.count)
    room.deallocate()
  }

  /// Appends a byte; false where there is no room left.
  public mutating func append(_ byte: UInt8) -> Bool {
    guard count < room.count else { return false }
    room[count] = byte
    count += 1
    return true
  }

  /// - Parameter body: gets the bytes, valid during the call.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
  }

  /// The bytes as a string; nil where they are no UTF-8.
  public var text: String? {
    withBytes { String(validating: $0.bindMemory(to: UInt8.self), as: UTF8.self) }
  }

  /// The first line without its newline; nil where the bytes are no UTF-8.
  public var line: String? {
    text?.prefix { !$0.isNewline }.description
  }

  mutating func fill(from descriptor: Int32, path: String) throws(IOFailure) -> Bool {
    while true {
      // The capacity is one more than a file may have.
      if count == room.count { return false }
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
      let read = try Syscall.run("read", path) {
        Glibc.read(descriptor, rest.baseAddress, rest.count)
      }
      if read == 0 { return true }
      count += read
    }
  }
}
