/// Where a device is, as a user writes it: `pty:PATH`, `serial:PATH?baud=N`, `unix:PATH`,
/// `tcp:HOST:PORT`, `tty:VID:PID[:SERIAL]`, `usb:VID:PID[:SERIAL]` or `memory:NAME`. Both ends of a
/// line are named by the same text. A path alone, which begins with `/`, `./` or `../`, is of the
/// kind that stands there; where nothing does, a serial port in /dev, else a pty.
///
/// `init(_:)` reads its description back as the same spec; the description leaves defaults out.
public struct DeviceSpec: Hashable, Sendable, CustomStringConvertible {
  /// What a line is made of, with its address.
  public enum Kind: Hashable, Sendable {
    /// A pseudo-terminal, or a stable link to one.
    case pty(path: String)
    /// A serial port. Its path ends at the first `?`.
    case serial(path: String, SerialSettings)
    /// A stream socket in the file system, on which the device listens.
    case unix(path: String)
    /// A TCP port, on which the device listens. The host is an IPv4 address, an IPv6 address
    /// without its brackets, or a name. Port 0 is for the device alone: any that is free.
    case tcp(host: String, port: UInt16)
    /// The serial port that the kernel gives a USB device, under whatever name.
    case tty(USBAddress)
    /// A USB device without the kernel's serial driver, by libusb.
    case usb(USBAddress)
    /// Both ends in one process; see ``MemoryListener``.
    case memory(name: String)
  }

  /// Decides how each end opens the line.
  public let kind: Kind

  /// Takes the kind as it is: nothing is checked.
  public init(_ kind: Kind) { self.kind = kind }

  /// `pty:PATH`.
  public init(pty path: String) { kind = .pty(path: path) }

  /// Reads the text form.
  /// - Throws: `DeviceSpecError`, which names the wrong part and the right form.
  public init(_ text: String) throws(DeviceSpecError) { kind = try DeviceSpecParser.kind(text) }

  /// The line's name in the file system; nil for `tcp:`, `tty:`, `usb:` and `memory:`.
  public var path: String? {
    switch kind {
    case .pty(let path), .serial(let path, _), .unix(let path): path
    case .tcp, .tty, .usb, .memory: nil
    }
  }

  public var description: String {
    switch kind {
    case .pty(let path): "pty:\(path)"
    case .serial(let path, let settings): "serial:\(path)\(settings.text)"
    case .unix(let path): "unix:\(path)"
    case .tcp(let host, let port): "tcp:\(TCPAddress.text(host: host, port: port))"
    case .tty(let address): "tty:\(address)"
    case .usb(let address): "usb:\(address)"
    case .memory(let name): "memory:\(name)"
    }
  }
}

/// A text that is no ``DeviceSpec``.
public struct DeviceSpecError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The whole text as it was given.
  public let text: String
  /// Which part is wrong, as the end of a sentence.
  public let reason: String
  /// The right form, with an example.
  public let form: String

  public var description: String { "cannot use device '\(text)': \(reason); write \(form)" }
}
