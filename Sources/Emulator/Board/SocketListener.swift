import SerialIO

/// A socket that waits for hosts of a keychain, of any kind.
enum SocketListener: ~Copyable {
  case unix(UnixListener)
  case tcp(TCPListener)
  case memory(MemoryListener)

  /// Nil for a spec that names no socket.
  init?(_ spec: DeviceSpec) throws(IOFailure) {
    switch spec.kind {
    case .unix(let path): self = .unix(try UnixListener(path: path))
    case .tcp(let host, let port): self = .tcp(try TCPListener(host: host, port: port))
    case .memory(let name): self = .memory(try MemoryListener(name: name))
    case .pty, .serial, .tty, .usb: return nil
    }
  }

  /// Readable when a host waits.
  var descriptor: Int32 {
    switch self {
    case .unix(let listener): listener.descriptor
    case .tcp(let listener): listener.descriptor
    case .memory(let listener): listener.descriptor
    }
  }

  /// The real TCP port; nil for other sockets.
  var port: UInt16? {
    switch self {
    case .unix: nil
    case .tcp(let listener): listener.port
    case .memory: nil
    }
  }

  /// The next host that waits; nil if there is none.
  func accept() throws(IOFailure) -> OwnedDescriptor? {
    switch self {
    case .unix(let listener): try listener.accept()
    case .tcp(let listener): try listener.accept()
    case .memory(let listener): listener.accept()
    }
  }
}
