import Foundation
import SerialIO
import Transport
import WireProtocol

/// A keychain on USB, as udev shows it and as it says itself by vendor requests. Its line is not
/// opened for that, so a bridge that has it open is not disturbed.
struct FoundKeychain: Encodable, Equatable {
  /// The serial number, nil where it has none.
  let serial: String?
  /// What to give to `--device`.
  let spec: String
  /// Of the USB device, like `/dev/bus/usb/001/004`; nil where it is not shown.
  var usbNode: String?
  /// Like `/dev/ttyACM0`; nil while the kernel gives it no serial port.
  var port: String?
  /// The names that stay, kept by udev.
  var links: [String] = []
  /// Board and build, in its own words.
  var firmware: String?
  /// Per cent.
  var battery: UInt8?
  var isLinked: Bool?
  /// Why it said nothing of itself, and what to do.
  var silence: String?
  /// Why its port cannot be opened now, and what to do; nil where nothing speaks against it.
  var problem: String?
  /// What is wrong beside it, as that no udev rule was applied.
  var warning: String?

  /// What it says of itself.
  mutating func take(_ report: KeychainReport) {
    isLinked = report.isLinked
    // 255 says that it does not know.
    let percent = (try? report.heartbeat.get())?.batteryPercent
    battery = percent == 255 ? nil : percent
    firmware = (try? report.firmware.get()).map { "\($0.board), \($0.build)" }
    for failure in [Self.failure(report.hello), Self.failure(report.heartbeat)] {
      if silence == nil { silence = failure }
    }
  }

  private static func failure<Value>(_ result: Result<Value, IOFailure>) -> String? {
    guard case .failure(let failure) = result else { return nil }
    return "\(failure)"
  }
}
