import Capture

extension CaseOutcome {
  /// Both directions of the line as a pcapng file.
  package func capture(application: String) -> [UInt8] {
    var writer = PcapngWriter()
    var bytes = writer.begin(application: application)
    for packet in packets { bytes += writer.append(packet) ?? [] }
    return bytes
  }

  /// Of its capture.
  package var fileName: String {
    tested.id.replacing("/", with: "-") + ".pcapng"
  }
}
