import Glibc

/// The address of a socket in the file system, or of an abstract one if it begins with a 0.
struct UnixAddress {
  /// In bytes: unix(7) has room for 108, the last of them a 0.
  static let maxPathSize =
    MemoryLayout<sockaddr_un>.size
    - MemoryLayout.offset(of: \sockaddr_un.sun_path)! - 1

  private var address = sockaddr_un()
  private let length: socklen_t

  /// - Throws: `IOFailure` with ENAMETOOLONG for a path over ``maxPathSize``.
  init(_ path: String) throws(IOFailure) {
    let bytes = Array(path.utf8)
    let room = Self.maxPathSize
    guard bytes.count <= room, !bytes.isEmpty else {
      throw IOFailure(
        "use", errno: ENAMETOOLONG, path: path,
        reason: "a socket's path has 1 to \(room) bytes, this one has \(bytes.count)")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // An abstract name ends where the length says, a path at its 0.
    let end = bytes[0] == 0 ? bytes.count : bytes.count + 1
    length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + end)
  }

  func withPointer<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(IOFailure) -> Result
  ) throws(IOFailure) -> Result {
    try withUnsafePointer(to: address) { (pointer) throws(IOFailure) -> Result in
      let general = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
      return try body(general, length)
    }
  }
}
