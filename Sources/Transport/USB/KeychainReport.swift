import CUSB
public import FobBase
import Glibc
public import SerialIO
import Synchronization
public import WireProtocol

/// A keychain's answers to the questions beside its line, or why each failed.
public struct KeychainReport: Sendable {
  /// The device as a spec names it, with its serial number.
  public let name: String
  /// The device's identity, and its session: 0 while no host has one.
  public let hello: Result<Hello, IOFailure>
  /// Its present state.
  public let heartbeat: Result<Heartbeat, IOFailure>
  /// Its board and build.
  public let firmware: Result<KeychainFirmware, IOFailure>

  /// Whether a host has a session with it; nil where HELLO failed.
  public var isLinked: Bool? { try? hello.get().session != 0 }

  /// Opens the device, asks all three questions and closes it again, in at most `patience`. A
  /// device that never ends a transfer is left to a thread of its own.
  /// - Parameters:
  ///   - address: names the device in the report and in failures; `node` decides which is opened.
  ///   - node: the node of exactly this device, as in `/dev/bus/usb/001/004`.
  ///   - patience: the most that opening and all questions may take together.
  /// - Throws: `IOFailure` where the device cannot be opened, ETIMEDOUT after `patience`; questions
  ///   that it does not answer are in the report.
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

  /// Asks all three questions, waiting for each. After a timeout or an unplugging the others are
  /// not asked.
  public init(_ control: consuming KeychainControl) {
    name = control.name
    hello = Result { () throws(IOFailure) in try control.hello() }
    // A device that is silent once stays silent: one wait is enough.
    if case .failure(let failure) = hello, failure.errno == ETIMEDOUT || failure.errno == ENODEV {
      heartbeat = .failure(failure)
      firmware = .failure(failure)
      return
    }
    heartbeat = Result { () throws(IOFailure) in try control.heartbeat() }
    firmware = Result { () throws(IOFailure) in try control.firmware() }
  }
}

/// Questions to a keychain beside its line: vendor requests on endpoint 0.
///
/// They claim no interface, so they work while the kernel's serial port is in use, or while a
/// bridge has the device by libusb. Each blocks the caller for at most ``patience`` and throws
/// `IOFailure`: ETIMEDOUT, EPIPE for a question that the device refuses, ENODEV when it has gone,
/// EPROTO for an answer that cannot be read.
public struct KeychainControl: ~Copyable, Sendable {
  private let handle: USBHandle

  /// How long a device may take to answer one question.
  public static let patience = Interval.milliseconds(300)

  /// - Parameters:
  ///   - address: names the device in failures; `node` decides which is opened.
  ///   - node: the node of exactly this device, as in `/dev/bus/usb/001/004`.
  /// - Throws: `IOFailure`: ENODEV where it has gone, EACCES where this user may not open it.
  public init(_ address: USBAddress, node: String) throws(IOFailure) {
    handle = try USBHandle(address, node: node)
  }

  /// The device as a spec names it, with its serial number.
  public var name: String { handle.name }

  /// Asks who it is. `session` is the present one, 0 when no host has a session with it.
  public func hello() throws(IOFailure) -> Hello { try payload("ask for HELLO") }

  /// Asks for its state: battery, clock and what it shows.
  public func heartbeat() throws(IOFailure) -> Heartbeat { try payload("ask for HEARTBEAT") }

  /// Asks for board and build.
  public func firmware() throws(IOFailure) -> KeychainFirmware {
    let bytes = try answer(.firmwareInfo, "ask for FW_INFO")
    guard let firmware = KeychainFirmware(bytes) else {
      throw refused("ask for FW_INFO", "its answer is no board and build")
    }
    return firmware
  }

  /// Makes its light show which one it is, unless it shows something more urgent.
  /// - Parameter duration: at most 65.535 s; 0 ends it.
  public func identify(for duration: Interval) throws(IOFailure) {
    let milliseconds = UInt16(clamping: duration.microseconds / 1_000)
    var body = FrameBody()
    LEDSet(state: .identify, detail: 0, duration: milliseconds).write(to: &body)
    try handle.tell(
      Self.type, MessageType.ledSet.rawValue, body.withBytes { Array($0) },
      patience: Self.milliseconds, "set the light of")
  }

  /// bmRequestType: vendor, to the device; the direction is added.
  private static let type = UInt8(
    LIBUSB_REQUEST_TYPE_VENDOR.rawValue | LIBUSB_RECIPIENT_DEVICE.rawValue)
  private static let milliseconds = UInt32(patience.microseconds / 1_000)

  private func payload<P: Payload>(_ operation: String) throws(IOFailure) -> P {
    let bytes = try answer(P.type, operation)
    guard bytes.count >= P.size, let payload = bytes.withUnsafeBytes({ P($0) }) else {
      throw refused(operation, "its answer of \(bytes.count) bytes is no such message")
    }
    return payload
  }

  private func answer(_ type: MessageType, _ operation: String) throws(IOFailure) -> [UInt8] {
    try handle.ask(
      Self.type, type.rawValue, room: Limits.maxPayloadSize, patience: Self.milliseconds, operation)
  }

  private func refused(_ operation: String, _ reason: String) -> IOFailure {
    IOFailure(operation, errno: EPROTO, path: handle.name, reason: reason)
  }
}

/// FW_INFO (50): board name and build of a keychain.
public struct KeychainFirmware: Hashable, Sendable {
  /// The board's name, as the firmware gives it.
  public let board: String
  /// The firmware's version or build, as the firmware gives it.
  public let build: String

  /// Nil unless the payload is UTF-8 with a zero byte between board and build.
  /// - Parameter payload: of FW_INFO, without a frame.
  public init?(_ payload: some Sequence<UInt8>) {
    let parts = Array(payload).split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let board = String(validating: parts[0], as: UTF8.self),
      let build = String(validating: parts[1], as: UTF8.self)
    else { return nil }
    self.board = board
    self.build = build
  }
}
