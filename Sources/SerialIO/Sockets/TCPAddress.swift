import Glibc

/// The address of a TCP port, IPv4 or IPv6.
struct TCPAddress: Equatable, Sendable {
  private var storage = sockaddr_storage()
  private let length: socklen_t

  /// `127.0.0.1:4000` and `[::1]:4000`.
  static func text(host: String, port: UInt16) -> String {
    host.utf8.contains(0x3A) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  private init?(_ info: addrinfo) {
    guard let address = info.ai_addr,
      Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size
    else { return nil }
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(
        from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
    }
    length = info.ai_addrlen
  }

  /// The address that a bound socket really has: port 0 became another.
  init(of socket: borrowing OwnedDescriptor) throws(IOFailure) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let number = socket.number
    try withUnsafeMutablePointer(to: &storage) { (pointer) throws(IOFailure) in
      let general = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
      _ = try Syscall.run("examine", socket.path) { getsockname(number, general, &length) }
    }
    self.storage = storage
    self.length = length
  }

  var family: Int32 { Int32(storage.ss_family) }

  var port: UInt16 {
    withUnsafeBytes(of: storage) { bytes in
      // At the same place in sockaddr_in and sockaddr_in6, most significant byte first.
      UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }
  }

  /// Compares family, port and address, not flow label or scope.
  static func == (a: TCPAddress, b: TCPAddress) -> Bool {
    let ends: Range<Int>
    switch a.family {
    case AF_INET: ends = 0..<8
    case AF_INET6: ends = 0..<24
    default: return false
    }
    return a.family == b.family
      && withUnsafeBytes(of: a.storage) { a in
        withUnsafeBytes(of: b.storage) { b in
          // An IPv6 flow label (bytes 4 to 7) is not part of the address.
          ends.allSatisfy { (ends.count > 8 && (4..<8).contains($0)) || a[$0] == b[$0] }
        }
      }
  }

  func withPointer<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(IOFailure) -> Result
  ) throws(IOFailure) -> Result {
    try withUnsafePointer(to: storage) { (pointer) throws(IOFailure) -> Result in
      let general = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
      return try body(general, length)
    }
  }

  /// Reads an address in numbers; nil for a name.
  static func numeric(host: String, port: UInt16) -> TCPAddress? {
    guard case .success(let found) = find(host, port, AI_NUMERICHOST) else { return nil }
    return found.first
  }

  /// Asks the resolver, and blocks for as long as it does. Addresses are in the order of
  /// getaddrinfo(3), to be tried one after the other.
  static func resolve(host: String, port: UInt16) -> Result<[TCPAddress], IOFailure> {
    find(host, port, 0)
  }

  private static func find(
    _ host: String, _ port: UInt16, _ flags: Int32
  ) -> Result<[TCPAddress], IOFailure> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    var found: [TCPAddress] = []
    var next = list
    while code == 0, let info = next?.pointee {
      if let address = TCPAddress(info) { found.append(address) }
      next = info.ai_next
    }
    guard !found.isEmpty else {
      let reason = code == 0 ? "it has no address" : String(cString: gai_strerror(code))
      return .failure(IOFailure("find", errno: EHOSTUNREACH, path: host, reason: reason))
    }
    return .success(found)
  }
}
