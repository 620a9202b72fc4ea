import Capture
import FobBase

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
