import FobBase
import Glibc
import SerialIO

/// Opens the host's end of a line, once for each call, whatever kind it is.
struct LineOpener: Sendable {
  private let kind: DeviceSpec.Kind
  private let tcp: TCPConnector?
  private let plugs: HotplugMonitor?
  private let tuning: LineTuning
  /// What was done to a port, or why not.
  private let onTuned: @Sendable (String) -> Void

  /// - Parameter plugs: what udev shows; a `tty:` or `usb:` is looked for there.
  init(
    _ spec: DeviceSpec, plugs: HotplugMonitor?, tuning: LineTuning,
    onTuned: @escaping @Sendable (String) -> Void
  ) {
    kind = spec.kind
    self.tuning = tuning
    self.onTuned = onTuned
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
  func open(cancel: Int32, _ handlers: ReaderHandlers) throws(IOFailure) -> any HostLine {
    if case .usb(let address) = kind {
      let device = try device(at: address, "usb")
      return try USBReader(
        LibUSBConnection(device.address, node: device.node), scheduling: tuning.scheduling,
        handlers: handlers)
    }
    return try ReaderLoop(
      descriptor(cancel: cancel), name: "reader", scheduling: tuning.scheduling,
      keeping: flow, handlers: handlers)
  }

  /// Of a terminal; nil for what has no mode.
  private var flow: SerialSettings.Flow? {
    switch kind {
    case .pty, .tty: SerialSettings.Flow.none
    case .serial(_, let settings): settings.flow
    case .unix, .tcp, .memory, .usb: nil
    }
  }

  private func descriptor(cancel: Int32) throws(IOFailure) -> OwnedDescriptor {
    switch kind {
    case .pty(let path): return try Self.terminal(path)
    case .serial(let path, let settings): return tuned(try Self.terminal(path, settings))
    case .unix(let path): return try UnixSocket.connectAtOnce(path: path)
    case .tcp: return try tcp!.connect(cancel: cancel, until: BootClock.now() + Self.patience)
    case .memory(let name): return try MemoryListener.connect(name: name)
    case .tty(let address): return tuned(try Self.terminal(device(at: address, "tty").node))
    case .usb: preconditionFailure("a USB device has no descriptor to read")
    }
  }

  /// A port that cannot be made faster is served as it is.
  private func tuned(_ port: consuming OwnedDescriptor) -> OwnedDescriptor {
    if tuning.isLowLatency { onTuned(PortLatency.lower(port).description) }
    return port
  }

  /// As udev shows it now.
  private func device(
    at address: USBAddress, _ kind: String
  ) throws(IOFailure) -> AttachedDevice {
    do throws(IOFailure) {
      return try (plugs?.board ?? HotplugTable()).only(address)
    } catch {
      throw IOFailure("open", errno: error.errno, path: "\(kind):\(address)", reason: error.reason)
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
