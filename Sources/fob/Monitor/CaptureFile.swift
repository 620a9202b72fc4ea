import Capture
import FobBase
import Glibc
import SerialIO

/// A pcapng file that grows by one write for each packet, so that it is whole whenever the process
/// is killed. It holds positions and events of a keychain: its owner alone may read it.
final class CaptureFile {
  private let file: OwnedDescriptor
  private var writer = PcapngWriter()
  /// From CLOCK_BOOTTIME to microseconds since 1970, as it was at the beginning.
  private let wallOffset: Int64

  init(_ output: OutputFile, version: String) throws {
    let file = try output.open()
    try Self.write(writer.begin(application: "fob \(version)"), to: file)
    self.file = file
    wallOffset = WallClock.now() - BootClock.now().microseconds
  }

  /// - Parameter lost: pieces that were lost before it.
  func append(
    _ description: FrameDescription, device: String, lost: Int
  ) throws(IOFailure) {
    let packet = CapturedPacket(
      description, device: device, wallOffset: wallOffset, lost: lost)
    guard let bytes = writer.append(packet) else {
      throw IOFailure(
        "write", errno: ENOSPC, path: file.path,
        reason: "it has \(CaptureLimits.interfaces) lines already")
    }
    try Self.write(bytes, to: file)
  }

  private static func write(
    _ bytes: [UInt8], to file: borrowing OwnedDescriptor
  ) throws(IOFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let taken = try rest.span.withUnsafeBytes { (bytes) throws(IOFailure) in
        try file.write(bytes)
      }
      rest = rest.dropFirst(taken ?? 0)
    }
  }
}

extension CapturedPacket {
  /// One run as a capture file holds it.
  /// - Parameters:
  ///   - wallOffset: from the run's clock to microseconds since 1970.
  ///   - lost: pieces of the lines that were lost before it: a capture has no place for that by
  ///     itself.
  init(_ description: FrameDescription, device: String, wallOffset: Int64, lost: Int) {
    var notes: [String] = []
    if case .damaged(let damage) = description.content { notes.append(damage.text) }
    if lost > 0 { notes.append("\(lost) pieces were lost before this") }
    self.init(
      device: device, microseconds: description.at.microseconds &+ wallOffset,
      direction: description.direction, bytes: description.wire,
      comment: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }
}
