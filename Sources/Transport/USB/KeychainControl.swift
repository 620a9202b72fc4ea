import CUSB
public import FobBase
import Glibc
public import SerialIO
public import WireProtocol

/// Questions to a keychain beside its line: vendor requests on endpoint 0.
///
/// Nothing is claimed for them, so they are answered while the kernel's serial port is in use, or
/// while a bridge has the device by libusb. Each waits at most ``patience``.
public struct KeychainControl: ~Copyable, Sendable {
  private let handle: USBHandle

  /// What a device may think about one question.
  public static let patience = Interval.milliseconds(300)

  /// - Parameter node: of exactly this device, as in `/dev/bus/usb/001/004`.
  /// - Throws: `IOFailure`: ENODEV where it has gone, EACCES where this user may not open it.
  public init(_ address: USBAddress, node: String) throws(IOFailure) {
    handle = try USBHandle(address, node: node)
  }

  /// As a spec names it, with its serial number.
  public var name: String { handle.name }

  /// Who it is. `session` is the one that it answers now, 0 when no host has one with it.
  public func hello() throws(IOFailure) -> Hello { try payload("ask for HELLO") }

  public func heartbeat() throws(IOFailure) -> Heartbeat { try payload("ask for HEARTBEAT") }

  public func firmware() throws(IOFailure) -> KeychainFirmware {
    let bytes = try answer(.firmwareInfo, "ask for FW_INFO")
    guard let firmware = KeychainFirmware(bytes) else {
      throw refused("ask for FW_INFO", "its answer is no board and build")
    }
    return firmware
  }

  /// Has its light say which one it is, where nothing more urgent is shown.
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
