import FobBase
import Glibc
import SerialIO

/// Opens the host's end of a line, once for each call, whatever kind it is.
struct LineOpener: Sendable {
  private let kind: DeviceSpec.Kind
  private let tcp: TCPConnector?
  private let plugs: PlugWatch?

  /// - Parameter plugs: what udev shows; a `tty:` or `usb:` is looked for there.
  init(_ spec: DeviceSpec, plugs: PlugWatch?) {
    kind = spec.kind
    self.plugs = plugs
    tcp =
      if case .tcp(let host, let port) = spec.kind {
        TCPConnector(host: host, port: port)
      } else {
        nil
      }
  }

  /// For connecting to a peer that does not answer, its name's look-up included.
  static let patience = Interval.seconds(5)

  /// Whether a line that closes at once says that the device serves another host.
  var mayBeTurnedAway: Bool {
    switch kind {
    case .unix, .tcp, .memory: true
    case .pty, .serial, .tty, .usb: false
    }
  }

  /// - Parameter cancel: ends the wait for a peer when readable, with ECANCELED.
  func open(cancel: Int32) throws(IOFailure) -> OwnedDescriptor {
    switch kind {
    case .pty(let path): return try Self.terminal(path)
    case .serial(let path, let settings): return try Self.terminal(path, settings)
    case .unix(let path): return try UnixSocket.connectAtOnce(path: path)
    case .tcp: return try tcp!.connect(cancel: cancel, until: BootClock.now() + Self.patience)
    case .memory(let name): return try MemoryListener.connect(name: name)
    case .tty(let address): return try Self.terminal(port(of: address))
    case .usb: throw IOFailure("open", errno: ENODEV, path: "\(kind)")
    }
  }

  /// The node that udev shows for it now.
  private func port(of address: USBAddress) throws(IOFailure) -> String {
    do throws(IOFailure) {
      return try (plugs?.board ?? Plugboard()).only(address).node
    } catch {
      throw IOFailure("open", errno: error.errno, path: "tty:\(address)", reason: error.reason)
    }
  }

  private static func terminal(
    _ path: String, _ settings: SerialSettings = SerialSettings()
  ) throws(IOFailure) -> OwnedDescriptor {
    do throws(IOFailure) {
      return try SerialLine(path: path, settings: settings).intoDescriptor()
    } catch {
      guard error.errno == EACCES, let refusal = PortUser.current.refusal(of: path) else {
        throw error
      }
      throw IOFailure(error.operation, errno: EACCES, path: path, reason: refusal)
    }
  }
}
