import FobBase
import Glibc
import SerialIO

/// Opens the host's end of a line, once for each call, whatever kind it is.
struct LineOpener: Sendable {
  private let kind: DeviceSpec.Kind
  private let tcp: TCPConnector?

  init(_ spec: DeviceSpec) {
    kind = spec.kind
    tcp =
      if case .tcp(let host, let port) = spec.kind {
        TCPConnector(host: host, port: port)
      } else {
        nil
      }
  }

  /// For connecting to a peer that does not answer, its name's look-up included.
  static let patience = Interval.seconds(5)

  /// Whether a name in the file system comes and goes with the device, worth an inotify of its own:
  /// a user has 128 of them on Debian. Sockets are asked for each second.
  var isWatched: Bool {
    switch kind {
    case .pty, .serial: true
    case .unix, .tcp, .tty, .usb, .memory: false
    }
  }

  /// Whether a line that closes at once says that the device serves another host.
  var mayBeTurnedAway: Bool { !isWatched }

  /// - Parameter cancel: ends the wait for a peer when readable, with ECANCELED.
  func open(cancel: Int32) throws(IOFailure) -> OwnedDescriptor {
    switch kind {
    case .pty(let path): return try SerialLine(path: path).intoDescriptor()
    case .serial(let path, let settings):
      return try SerialLine(path: path, settings: settings).intoDescriptor()
    case .unix(let path): return try UnixSocket.connectAtOnce(path: path)
    case .tcp: return try tcp!.connect(cancel: cancel, until: BootClock.now() + Self.patience)
    case .memory(let name): return try MemoryListener.connect(name: name)
    case .tty, .usb: throw IOFailure("open", errno: ENODEV, path: "\(kind)")
    }
  }
}
