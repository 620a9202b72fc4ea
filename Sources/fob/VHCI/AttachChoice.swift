import Capture
import USB

/// Which of a server's devices are meant.
struct AttachChoice {
  let server: String
  /// A serial number or a bus id.
  let wanted: String?
  let all: Bool

  /// Those to import. A serial number is known only then: all may have to be asked.
  /// - Throws: `Failure` where nothing is there, or it is not said which.
  func candidates(of devices: [USBIPDeviceRecord]) throws(Failure) -> [USBIPDeviceRecord] {
    guard !devices.isEmpty else {
      throw Failure(
        .cannotOpen, "\(server) has no device to give: all are attached or unplugged")
    }
    if all { return devices }
    if let wanted {
      let named = devices.filter { $0.busID == wanted }
      return named.isEmpty ? devices : named
    }
    guard devices.count == 1 else {
      throw Failure(
        .usage, "\(server) has \(Self.list(devices)): say --device BUSID or SERIAL, or --all")
    }
    return devices
  }

  func means(_ record: USBIPDeviceRecord, serial: String?) -> Bool {
    wanted == nil || record.busID == wanted || serial == wanted
  }

  /// Asked for its serial number only: that somebody else has it by now is no matter.
  func mayPassOver(_ record: USBIPDeviceRecord) -> Bool {
    wanted.map { $0 != record.busID } ?? false
  }

  func nothing(among devices: [USBIPDeviceRecord]) -> Failure {
    Failure(
      .cannotOpen,
      "\(server) has no device \(wanted ?? ""): it has \(Self.list(devices)), none of that serial"
        + " number")
  }

  private static func list(_ devices: [USBIPDeviceRecord]) -> String {
    PrintableText.of(devices.prefix(16).map(\.busID).joined(separator: ", "))
      + (devices.count > 16 ? ", …" : "")
  }
}
