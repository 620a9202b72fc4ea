public import FobBase
import Glibc
public import SerialIO
import Synchronization
public import WireProtocol

/// What a keychain on USB said of itself, or why it did not.
public struct KeychainReport: Sendable {
  /// As a spec names it, with its serial number.
  public let name: String
  public let hello: Result<Hello, IOFailure>
  public let heartbeat: Result<Heartbeat, IOFailure>
  public let firmware: Result<KeychainFirmware, IOFailure>

  /// Whether a host has a session with it; nil where it did not say.
  public var isLinked: Bool? { try? hello.get().session != 0 }

  /// Opens the device, asks all three questions and closes it again, in at most `patience`: a
  /// device that does not even give a question back is left to a thread of its own.
  /// - Parameter node: of exactly this device, as in `/dev/bus/usb/001/004`.
  /// - Throws: `IOFailure` where it cannot be opened; what it does not answer is in the report.
  public static func ask(
    _ address: USBAddress, node: String, within patience: Interval = .seconds(2)
  ) throws(IOFailure) -> KeychainReport {
    let gate = try OneShot<Result<KeychainReport, IOFailure>>()
    let thread = try BlockingThread(name: "usb control") {
      gate.open(
        with: Result { () throws(IOFailure) in
          try KeychainReport(KeychainControl(address, node: node))
        })
    }
    guard let report = try gate.pass(until: BootClock.now() + patience) else {
      throw IOFailure(
        "ask", errno: ETIMEDOUT, path: "usb:\(address)",
        reason: "it gave no question back in \(patience.microseconds / 1_000) ms; plug it in again")
    }
    _ = thread.join(within: .milliseconds(100))
    return try report.get()
  }

  public init(_ control: consuming KeychainControl) {
    name = control.name
    hello = Result { () throws(IOFailure) in try control.hello() }
    // Who is silent once is silent again: one wait is enough.
    if case .failure(let failure) = hello, failure.errno == ETIMEDOUT || failure.errno == ENODEV {
      heartbeat = .failure(failure)
      firmware = .failure(failure)
      return
    }
    heartbeat = Result { () throws(IOFailure) in try control.heartbeat() }
    firmware = Result { () throws(IOFailure) in try control.firmware() }
  }
}
