import ArgumentParser
import Capture
import FobBase
import Glibc
import SerialIO
import Transport
import WireProtocol

/// `fob identify`: which one is it?
struct IdentifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "identify",
    abstract: "Blink the light of a keychain on USB, and print what it says of itself.",
    discussion: """
      It asks beside the line, so a bridge that has the keychain open goes on undisturbed. What a \
      bridge has it show comes first: a keychain with an alarm does not blink.
      """)

  @Argument(
    help:
      "Keychain as fob devices lists it, usb:VID:PID[:SERIAL]; SERIAL where there are several.",
    completion: .deviceSpec, transform: DeviceSpec.option)
  var device: DeviceSpec

  @Option(help: "How long it blinks, in seconds, 0 to 65.")
  var seconds = 10

  func validate() throws {
    guard (0...65).contains(seconds) else {
      throw ValidationError("--seconds takes 0 to 65, not \(seconds)")
    }
    guard address != nil else {
      throw ValidationError(
        "only a keychain on USB is asked beside its line: write usb:VID:PID[:SERIAL], not"
          + " \(device); for any other, fob ctl asks the bridge that has it")
    }
  }

  func run() throws {
    guard let address else { return }
    try Failure.mapped {
      let found = try AttachedDevice.find(address)
      let report = try KeychainReport.ask(found.address, node: found.node)
      for line in Self.lines(report) + [Self.use(of: found)] {
        Terminal.line(PrintableText.of(line))
      }
      try blink(found, instead: report.heartbeat)
      Terminal.line(seconds == 0 ? "its light is its own again" : "its light blinks \(seconds) s")
    }
  }

  /// - Parameter beat: what it shows now, and goes on showing if that is more urgent.
  private func blink(
    _ found: AttachedDevice, instead beat: Result<Heartbeat, IOFailure>
  ) throws {
    do throws(IOFailure) {
      try KeychainControl(found.address, node: found.node).identify(for: .seconds(Int64(seconds)))
    } catch {
      guard error.errno == EPIPE, let shown = try? beat.get().shown else { throw error }
      throw Failure(
        .refused,
        "\(found.address) does not blink: it goes on showing \(shown); where an alarm is open, end"
          + " it first")
    }
  }

  private var address: USBAddress? {
    switch device.kind {
    case .usb(let address), .tty(let address): address
    case .pty, .serial, .unix, .tcp, .memory: nil
    }
  }

  private static func lines(_ report: KeychainReport) -> [String] {
    [
      report.name,
      words("keychain", report.hello) { hello in
        let version = hello.software
        return
          "\(hello.deviceID.text), software \(version.major).\(version.minor).\(version.patch),"
          + (hello.session == 0 ? " not linked" : " linked")
      },
      words("firmware", report.firmware) {
        "\($0.board), build \($0.build)"
      },
      words("state", report.heartbeat) { beat in
        let hasNone =
          (try? report.hello.get()).map { $0.capabilities & Hello.hasNoBattery != 0 } ?? false
        let charge =
          beat.charge.map { "battery \($0) %" } ?? (hasNone ? "no battery" : "battery unknown")
        let shown = beat.shown.map { "shows \($0)" } ?? "shows what this fob does not know"
        return "\(charge), \(shown), unacked \(beat.unacked)"
      },
    ]
  }

  private static func words<Value>(
    _ name: String, _ answer: Result<Value, IOFailure>, _ tell: (Value) -> String
  ) -> String {
    let text =
      switch answer {
      case .success(let value): tell(value)
      case .failure(let failure): "\(failure)"
      }
    return "  " + name + String(repeating: " ", count: max(1, 10 - name.utf8.count)) + text
  }

  /// Who has its line, by the drivers of its interfaces.
  private static func use(of device: AttachedDevice) -> String {
    let drivers = Set(device.interfaceDrivers.values)
    let text =
      if drivers.contains("usbfs") {
        "a program has it by libusb"
      } else if drivers.isEmpty {
        "no driver has it, so it has no /dev/ttyACM: a killed program left it so; plug it in again,"
          + " or open and close it once by fob monitor usb:…"
      } else {
        "the kernel's driver has it: \(drivers.sorted().joined(separator: ", "))"
      }
    return "  line      \(text)"
  }
}
