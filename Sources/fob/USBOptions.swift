import ArgumentParser
import Emulator
import Glibc
import SerialIO
import USB

/// `--usb`: the keychains of `emulate` as USB devices.
struct USBOptions: ParsableArguments {
  /// Where the stock client looks.
  static let standard = "tcp:127.0.0.1:\(USBIPServer.standardPort)"

  @Option(
    name: .customLong("usb"), defaultAsFlag: standard, parsing: .next,
    help: ArgumentHelp(
      "Offer the keychains as USB devices: a USB/IP server at tcp:HOST:PORT or unix:PATH.",
      discussion: "Without an address: \(standard). See fob attach.", valueName: "address"))
  var address: String?

  @Option(help: "USB speed: full (12 Mbit/s) or high (480 Mbit/s). (default: full)")
  var usbSpeed: SpeedOption?

  enum SpeedOption: String, ExpressibleByArgument, CaseIterable {
    case full, high
  }

  @Option(
    help: """
      What they say that they are: keychain, or microbit, which has the ids and the serial number \
      of a BBC micro:bit's debugger, so that only HELLO tells who is there. (default: keychain)
      """)
  var usbIdentity: IdentityOption?

  enum IdentityOption: String, ExpressibleByArgument, CaseIterable {
    case keychain, microbit
  }

  func validate() throws {
    guard usbIdentity == nil || address != nil else {
      throw ValidationError("--usb-identity says nothing without --usb")
    }
    guard usbSpeed == nil || address != nil else {
      throw ValidationError("--usb-speed says nothing without --usb")
    }
    guard let address else { return }
    let spec: DeviceSpec
    do {
      spec = try DeviceSpec(address)
    } catch {
      throw ValidationError("\(error)")
    }
    switch spec.kind {
    case .tcp, .unix: break
    case .pty, .serial, .tty, .usb, .memory:
      throw ValidationError(
        "--usb \(address): a USB/IP server listens at tcp:HOST:PORT or unix:PATH, as in"
          + " --usb \(Self.standard)")
    }
  }

  /// Nil without `--usb`.
  /// - Throws: where the address cannot be had.
  func server() throws -> USBIPServer? {
    guard let address else { return nil }
    do {
      return try USBIPServer(try DeviceSpec(address))
    } catch let failure as IOFailure where failure.errno == EADDRINUSE {
      throw Failure(
        .cannotOpen, "\(failure); a USB/IP server runs there, name another address after --usb")
    }
  }

  var speed: USBSpeed { usbSpeed == .high ? .high : .full }
  var kind: USBIdentity.Kind { usbIdentity == .microbit ? .microbit : .keychain }
}

extension USBPort {
  /// How a user gives the keychain at this port to a kernel.
  func attaching(serial: String) -> String {
    let mine = "fob attach \(server.address) --device \(kind.identity(of: serial).serial)"
    guard case .tcp(let host, let port) = server.address.kind else { return mine }
    let other = port == USBIPServer.standardPort ? "" : " --tcp-port \(port)"
    return "\(mine), or usbip\(other) attach -r \(host) -b \(busID)"
  }
}
